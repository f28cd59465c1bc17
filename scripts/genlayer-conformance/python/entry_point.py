"""Runs cases through the SDK's own entry point: one process for each machine, see vm.py."""

import json
import os
import tempfile

from values import from_json, to_json
from vm import RETURN, USER_ERROR, run

SCHEMA_METHOD = "#get-schema"


def run_case(case: dict, settings: dict, paths: list[str]) -> list[dict]:
    """What each step of a case came to."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "contract.py"), "w", encoding="utf-8") as file:
            file.write(case["source"])
        storage: dict[str, str] = {}
        observed = []
        for step in case["steps"]:
            spec = {
                **_permissions(step),
                "paths": paths,
                "contractDirectory": directory,
                "storage": storage,
            }
            message = _message(step, settings)
            leader = run({**spec, **_answers(step)}, message)
            result = bytes.fromhex(leader["result"])
            observation = _observation(result, step)
            observation["log"] = leader["log"][-2000:]
            if "validators" in step:
                nodes = [run({**spec, **_answers(node, leader)}, message) for node in step["validators"]]
                observation["votes"] = [_vote(node, leader) for node in nodes]
            if step["kind"] in ("deploy", "write") and result[0] == RETURN:
                storage = leader["storage"]
            observed.append(observation)
        return observed


def _permissions(step: dict) -> dict:
    return {
        "deterministic": True,
        "canRead": True,
        "canWrite": step["kind"] in ("deploy", "write"),
        "canSpawn": True,
    }


def _answers(node: dict, leader: dict | None = None) -> dict:
    return {
        "model": node.get("model", []),
        "web": node.get("web", {}),
        "leaderOutputs": None if leader is None else leader["outputs"],
    }


def _message(step: dict, settings: dict) -> bytes:
    from genlayer.py import calldata
    from genlayer.py.types import Address

    if "calldata" in step:
        data = bytes.fromhex(step["calldata"])
    else:
        call: dict[str, object] = {}
        if step["kind"] == "schema":
            call["method"] = SCHEMA_METHOD
        elif "method" in step:
            call["method"] = step["method"]
        for name in ("args", "kwargs"):
            if name in step:
                call[name] = from_json(step[name], Address)
        data = calldata.encode(call)
    sender = Address(bytes.fromhex(step.get("sender", settings["sender"])[2:]))
    return calldata.encode(
        {
            "contract_address": Address(bytes.fromhex(settings["contract"][2:])),
            "sender_address": sender,
            "origin_address": sender,
            "stack": [],
            "value": int(step.get("value", "0")),
            "datetime": settings["datetime"],
            "is_init": step["kind"] == "deploy",
            "chain_id": int(settings["chainId"]),
            "entry_kind": 0,
            "entry_data": data,
            "entry_stage_data": None,
        }
    )


def _observation(result: bytes, step: dict) -> dict:
    from genlayer.py import calldata
    from genlayer.py.types import Address

    code, payload = result[0], result[1:]
    if code == RETURN:
        value = calldata.decode(payload)
        return {"return": json.loads(value) if step["kind"] == "schema" else to_json(value, Address)}
    return {"userError" if code == USER_ERROR else "vmError": payload.decode("utf-8", "replace")}


def _vote(validator: dict, leader: dict) -> str:
    text = bytes.fromhex(validator["result"])[1:]
    if text.startswith(b"validator_disagrees"):
        return "disagree"
    same = all(validator[name] == leader[name] for name in ("result", "storage"))
    return "agree" if same else "differs"
