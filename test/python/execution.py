#!/usr/bin/env python3
"""
Whether an execution was recorded as somebody says, from the published formats and the standard library alone.

    python3 execution.py vectors <execution-chain.json>     recompute every vector
    python3 execution.py proof <agreement> <submission> <chain id> <escrow>
                                                            verify the proof in a submission
    python3 execution.py mission <proof.json>               verify what a recorder answers about a mission

Prints what does not hold. Exits 0 when all holds, 1 when something doesn't, 2 for a wrong command line.
docs/protocol/execution.md says in words what each function does; the file beside this one, verify.py, has
Keccak-256, the ABI's words, EIP-712 and the recovery of signers.
"""

import json
import re
import sys
from pathlib import Path

from verify import domain_separator, keccak256, recover, sha256, struct_hash, typed_data_digest, unhex, word

HASH = re.compile(r"0x[0-9a-f]{64}")
METHOD = re.compile(r"[A-Z]{1,16}")
MAX_STEPS = 256
TERMINAL_TYPE = "ExecutionTerminal(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal)"
CHARACTER = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})"


# --- The arithmetic -----------------------------------------------------------------------------------------


def keccak(encoded: bytes) -> str:
    return "0x" + keccak256(encoded).hex()


def abi_encode(kinds: list, values: list) -> bytes:
    """Standard ABI encoding of words and strings: heads in place, strings behind them with their offsets."""
    heads, tails, offset = [], [], 32 * len(kinds)
    for kind, value in zip(kinds, values, strict=True):
        if kind == "string":
            data = value.encode()
            heads.append(word(offset))
            tails.append(word(len(data)) + data + b"\0" * (-len(data) % 32))
            offset += len(tails[-1])
        else:
            heads.append(word(value))
    return b"".join(heads + tails)


def sequence_hash(steps: list) -> str:
    """An array of dynamic tuples: 0x20, the count, an offset for each, and each as `abi_encode` writes it."""
    names, kinds = ["index", "method", "pathTemplate", "auth"], ["uint256", "string", "string", "bool"]
    tuples = [abi_encode(kinds, [step[name] for name in names]) for step in steps]
    offset, offsets = 32 * len(tuples), []
    for item in tuples:
        offsets.append(word(offset))
        offset += len(item)
    return keccak(b"".join([word(32), word(len(tuples)), *offsets, *tuples]))


def committed_root(nonce: str, sequence: str) -> str:
    return keccak(abi_encode(["bytes32"] * 2, [nonce, sequence]))


def step_nonce(nonce: str, index: int) -> str:
    return keccak(abi_encode(["bytes32", "uint256"], [nonce, index]))


def attestation_hash(step: dict, record: dict, nonce: str) -> str:
    kinds = ["uint256", "string", "string", "bytes32", "bytes32", "bytes32"]
    hashes = [record["requestHash"], record["responseHash"], nonce]
    return keccak(abi_encode(kinds, [step["index"], step["method"], step["pathTemplate"], *hashes]))


def fold(chain: str, attestation: str) -> str:
    return keccak(abi_encode(["bytes32"] * 2, [chain, attestation]))


def request_hash(method: str, target: str, body: bytes) -> str:
    return sha256(f"{method} {target}\n{sha256(body)[2:]}".encode())


def response_hash(status: int, body: bytes) -> str:
    return sha256(f"{status}\n{sha256(body)[2:]}".encode())


def gate_config(root: str, recorder: str) -> str:
    return keccak(word(root) + word(recorder))


def terminal_digest(agreement: str, root: str, terminal: str, chain_id: int, escrow: str) -> str:
    separator = domain_separator("Assay Execution", chain_id, escrow)
    return typed_data_digest(separator, struct_hash(TERMINAL_TYPE, [agreement, root, terminal]))


# --- What holds ---------------------------------------------------------------------------------------------


def template_fault(template: str) -> str:
    """Empty when the template is one."""
    segments = template.split("/")
    segment = CHARACTER + r"*(?:\{[A-Za-z_][A-Za-z0-9_]{0,31}\})?" + CHARACTER + "*"
    if not 1 <= len(template.encode()) <= 255 or segments[0] or len(segments) < 2:
        return "not an absolute path of 1 to 255 bytes"
    if "" in segments[1:-1] or any(re.fullmatch(r"(?:\.|%2E){1,2}", item) for item in segments):
        return "an empty segment, or one of dots"
    if not all(re.fullmatch(segment, item) for item in segments) or re.search("%2F|%5C|%00", template):
        return "a segment that is none"
    return ""


def matches(template: str, target: str) -> bool:
    """Whether a request's path is one that the template stands for."""
    path = target.split("?", 1)[0]
    expected, actual = template.split("/"), path.split("/")
    if len(expected) != len(actual) or re.search("%2[Ff]|%5[Cc]|%00", path):
        return False
    for pattern, segment in zip(expected, actual, strict=True):
        before, brace, rest = pattern.partition("{")
        if not brace:
            if pattern != segment:
                return False
            continue
        after = rest.partition("}")[2]
        form = re.escape(before) + CHARACTER + "+" + re.escape(after)
        if not re.fullmatch(form, segment) or re.fullmatch(r"(?:\.|%2[Ee]){1,2}", segment):
            return False
    return True


def find_fault(claim: dict) -> str:
    """The first thing that does not hold of {nonce, steps, records, terminal, committedRoot?}, or nothing."""
    steps, records = claim["steps"], claim["records"]
    if not 1 <= len(steps) <= MAX_STEPS:
        return f"{len(steps)} steps"
    for index, step in enumerate(steps):
        if step["index"] != index or not METHOD.fullmatch(step["method"]):
            return f"step {index} is malformed"
        if template_fault(step["pathTemplate"]) or not isinstance(step["auth"], bool):
            return f"step {index} is malformed"
    if len(records) != len(steps):
        return f"{len(records)} records for {len(steps)} steps"
    hashes = [claim["nonce"], claim["terminal"], claim.get("committedRoot", claim["nonce"])]
    hashes += [record[name] for record in records for name in ("requestHash", "responseHash")]
    for value in hashes:
        if not HASH.fullmatch(value):
            return f"{value} is not 0x and 64 lower-case digits"
    root = chain = committed_root(claim["nonce"], sequence_hash(steps))
    if claim.get("committedRoot", root) != root:
        return f"the root is {root}"
    for index, (step, record) in enumerate(zip(steps, records, strict=True)):
        if record["index"] != index:
            return f"record {index} is of step {record['index']}"
        chain = fold(chain, attestation_hash(step, record, step_nonce(claim["nonce"], index)))
    return "" if chain == claim["terminal"] else f"the chain ends in {chain}"


def check_proof(arguments: list) -> list:
    """Findings about the proof in a submission, [] when it holds."""
    agreement, submission = (json.loads(Path(path).read_text("utf-8")) for path in arguments[:2])
    execution, proof = agreement["execution"], submission["execution"]
    claim = {**execution, "records": proof["attestations"], "terminal": proof["terminal"]}
    fault = find_fault(claim)
    root = committed_root(execution["nonce"], sequence_hash(execution["steps"]))
    digest = terminal_digest(
        submission["agreementId"], root, proof["terminal"], int(arguments[2]), arguments[3]
    )
    signer = recover(digest, proof["signature"])
    signed = signer == execution["recorder"].lower()
    return [text for text in (fault, "" if signed else f"{signer} signed, not the recorder") if text]


def check_mission(arguments: list) -> list:
    """Findings about what a recorder answers about a mission that ended."""
    proof = json.loads(Path(arguments[0]).read_text("utf-8"))
    claim = {
        "nonce": proof["nonce"],
        "steps": [{**step, "pathTemplate": step["path_template"]} for step in proof["steps"]],
        "records": [
            {
                "index": item["step_index"],
                "requestHash": item["request_hash"],
                "responseHash": item["response_hash"],
            }
            for item in proof["attestations"]
        ],
        "terminal": proof["current_chain_hash"],
        "committedRoot": proof["committed_root"],
    }
    fault = find_fault(claim)
    return [fault] if fault else []


# --- Vectors ------------------------------------------------------------------------------------------------


def check_vectors(arguments: list) -> list:
    """Findings about the vectors: every value that differs."""
    vectors = json.loads(Path(arguments[0]).read_text("utf-8"))
    found = []

    def same(name: str, expected: object, actual: object) -> None:
        if expected != actual:
            found.append(f"{name}: {expected} expected, {actual} computed")

    worked = vectors["worked"]
    same("root", worked["committedRoot"], committed_root(worked["nonce"], worked["sequenceHash"]))
    same("step nonce", worked["stepNonce"], step_nonce(worked["nonce"], 0))
    attestation = attestation_hash(worked["step"], worked, worked["stepNonce"])
    same("attestation", worked["attestation"], attestation)
    same("chain", worked["chain"], fold(worked["committedRoot"], attestation))
    recorder = vectors["recorder"]["address"]
    same("gate config", worked["gateConfig"], gate_config(worked["committedRoot"], recorder))
    same("packed is another", True, worked["packed"]["attestation"] != attestation)
    for item in vectors["content"]["requests"]:
        actual = request_hash(item["method"], item["target"], item["body"].encode())
        same("request", item["requestHash"], actual)
    for item in vectors["content"]["responses"]:
        same("response", item["responseHash"], response_hash(item["status"], item["body"].encode()))
    for item in vectors["nonces"]:
        same("commitment", item["commitment"], keccak(unhex(item["recorderNonce"])))
        mixed = keccak(unhex(item["recorderNonce"]) + unhex(item["agentNonce"]))
        same("mission nonce", item["missionNonce"], mixed)
    for item in vectors["sequences"]:
        same(item["name"], item["sequenceHash"], sequence_hash(item["steps"]))
    domain = vectors["domain"]
    for item in vectors["missions"]:
        same(item["name"], "", find_fault(item))
        ids = (item["agreementId"], item["committedRoot"], item["terminal"])
        digest = terminal_digest(*ids, domain["chainId"], domain["verifyingContract"])
        same(item["name"], item["digest"], digest)
        same(item["name"], recorder.lower(), recover(digest, item["signature"]))
    for item in vectors["claims"]:
        same(item["name"], item["code"] is None, find_fault(item["claim"]) == "")
    for template in vectors["templates"]["accepted"]:
        same(template, "", template_fault(template))
    for template in vectors["templates"]["refused"]:
        same(template, True, template_fault(template) != "")
    for item in vectors["templates"]["matching"]:
        actual = matches(item["template"], item["target"])
        same(f"{item['template']} and {item['target']}", item["matches"], actual)
    return found


def main(arguments: list) -> int:
    commands = {"vectors": (check_vectors, 1), "proof": (check_proof, 4), "mission": (check_mission, 1)}
    command, count = commands.get(arguments[0] if arguments else "", (None, 0))
    if command is None or len(arguments) != count + 1:
        print(__doc__)
        return 2
    try:
        found = command(arguments[1:])
    except (LookupError, TypeError, ValueError, OSError) as error:
        found = [f"not in the published form: {error!r}"]
    for line in found:
        print(f"FAIL {line}")
    if not found:
        print("everything holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
