"""Runs cases in the direct mode of GenLayer's testing suite: the contract in this very process."""

import json
import os
import tempfile

from answers import page_reply, prompt_reply
from values import from_json, to_json

# What direct mode does not do, and so cannot show: see README.md.
NOT_SHOWN = frozenset(["dispatch", "isolation", "permissions", "rollback", "sandbox", "leader-error"])


def run_case(case: dict, settings: dict, paths: list[str]) -> list[dict]:
    """What each step of a case came to. One case for one process: the SDK takes one contract."""
    from gltest.direct import sdk_loader
    from gltest.direct.loader import deploy_contract
    from gltest.direct.vm import VMContext

    class PinnedContext(VMContext):
        # Direct mode would derive the contract's address from its file's path.
        def __setattr__(self, name: str, value: object) -> None:
            super().__setattr__(name, contract if name == "_contract_address" else value)

    contract = bytes.fromhex(settings["contract"][2:])
    sdk_loader.setup_sdk_paths = lambda *_arguments, **_options: paths
    from genlayer.py import calldata
    from genlayer.py.types import Address

    vm = PinnedContext(_chain_id=int(settings["chainId"]), _datetime=settings["datetime"])
    observed = []
    with tempfile.TemporaryDirectory() as directory, vm.activate():
        path = os.path.join(directory, "contract.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(case["source"])
        instance = None
        for step in case["steps"]:
            vm.sender = Address(bytes.fromhex(step.get("sender", settings["sender"])[2:]))
            vm.value = int(step.get("value", "0"))
            vm.clear_validators()
            _answer(vm, step)
            args = from_json(step.get("args", []), Address)
            kwargs = from_json(step.get("kwargs", {}), Address)
            try:
                if step["kind"] == "deploy":
                    instance = deploy_contract(path, vm, *args, **kwargs)
                    value = None
                elif step["kind"] == "schema":
                    value = json.loads(type(instance._instance).__get_schema__())
                else:
                    value = getattr(instance, step["method"])(*args, **kwargs)
                observation = {"return": to_json(calldata.decode(calldata.encode(value)), Address)}
            except Exception as error:
                observation = _failure(error)
            if "validators" in step:
                observation["votes"] = [_vote(vm, node) for node in step["validators"]]
            observed.append(observation)
    return observed


def _failure(error: Exception) -> dict:
    from genlayer.gl.vm import UserError

    if isinstance(error, UserError):
        return {"userError": error.message}
    return {"vmError": f"{type(error).__name__}: {error}"[:2000]}


def _answer(vm: object, node: dict) -> None:
    """Sets what the model and the web answer from now on."""
    answers, pages = list(node.get("model", [])), node.get("web", {})

    vm._live_llm_handler = lambda request: prompt_reply(answers, request["response_format"])
    vm._live_web_handler = lambda request: page_reply(pages, request["url"])


def _vote(vm: object, node: dict) -> str:
    _answer(vm, node)
    try:
        agreed = all(vm.run_validator(index=index) is True for index in range(len(vm._captured_validators)))
    except Exception:
        agreed = False
    return "agree" if agreed else "disagree"
