"""The `gl` namespace of v0.2.16, as far as this stand-in goes; the rest is refused by name."""

import dataclasses
import types

from . import _contract, _nondet, _vm
from ._nondet import _unsupported
from ._types import Address

Contract = _contract.Contract
public = _contract.public


@dataclasses.dataclass(frozen=True)
class Message:
    """What the node says about the transaction."""

    contract_address: Address
    sender_address: Address
    origin_address: Address
    value: int
    chain_id: int


# Set by the host before each run.
message: Message
message_raw: dict[str, object] = {}

vm = types.SimpleNamespace(
    Return=_vm.Return,
    UserError=_vm.UserError,
    VMError=_vm.VMError,
    Result=_vm.Return | _vm.UserError | _vm.VMError,
    run_nondet_unsafe=_vm.run_nondet_unsafe,
    run_nondet=_unsupported("gl.vm.run_nondet"),
    spawn_sandbox=_unsupported("gl.vm.spawn_sandbox"),
)
nondet = types.SimpleNamespace(
    exec_prompt=_nondet.exec_prompt, web=_nondet.web, NondetException=_nondet.NondetException
)
eq_principle = types.SimpleNamespace(
    strict_eq=_vm.strict_eq,
    prompt_comparative=_unsupported("gl.eq_principle.prompt_comparative"),
    prompt_non_comparative=_unsupported("gl.eq_principle.prompt_non_comparative"),
)
get_contract_at = _unsupported("gl.get_contract_at")
deploy_contract = _unsupported("gl.deploy_contract")
