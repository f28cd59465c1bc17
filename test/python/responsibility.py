#!/usr/bin/env python3
"""
The responsibility contract's key and digests, and the ids of joint agreements' workflows, a second time, from
the published formats and hashlib alone.

    python3 responsibility.py <responsibility.json>    recompute every vector

Prints a line for each value that differs, and how many agree. Exits 0 when all do, 1 when some don't, 2 for a
wrong command line. docs/protocol/responsibility.md says in words what each function does.
"""

import hashlib
import json
import sys
from pathlib import Path


def digest(*fields: bytes) -> str:
    """SHA-256 over the fields, each after its length in bytes as eight bytes, the highest first."""
    return "0x" + hashlib.sha256(joined(*fields)).hexdigest()


def joined(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)


def raw(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))


def text(value: str) -> bytes:
    return value.encode("utf-8")


def address(value: str) -> bytes:
    return value.lower().encode("ascii")


def recompute(vector: dict) -> dict:
    """All four values of a vector, from its texts and addresses."""
    workflow = vector["workflow"]
    key = digest(b"assay/workflow-key/1", address(workflow["creator"]), text(workflow["workflowId"]))
    commitment = digest(
        b"assay/workflow/1",
        address(workflow["creator"]),
        text(workflow["workflowId"]),
        address(workflow["agentA"]),
        address(workflow["agentB"]),
        text(workflow["taskSpec"]),
        text(workflow["agentAObligation"]),
        text(workflow["agentBObligation"]),
        text(workflow["acceptanceCriteria"]),
        joined(*sorted(address(item) for item in workflow["assessors"])),
        str(workflow["patience"]).encode("ascii"),
    )
    assessment = digest(
        b"assay/assessment/1",
        raw(key),
        raw(commitment),
        text(vector["outputA"]),
        text(vector["outputB"]),
    )
    record = digest(
        b"assay/responsibility/1",
        raw(assessment),
        vector["verdict"].encode("ascii"),
        address(vector["assessor"]),
        str(vector["sequence"]).encode("ascii"),
    )
    return {
        "workflowKey": key,
        "workflowDigest": commitment,
        "assessmentDigest": assessment,
        "recordDigest": record,
    }


def joint_workflow_id(joint: dict) -> str:
    """The id that a joint agreement's workflow has to have: everything about the money of both sides."""
    def side(terms: dict) -> list:
        return [
            address(terms["buyer"]),
            address(terms["seller"]),
            text(terms["reward"]),
            str(terms["noVerdictSellerBps"]).encode("ascii"),
            text(terms["salt"]),
        ]

    return digest(
        b"assay/joint/1",
        str(joint["chainId"]).encode("ascii"),
        address(joint["escrow"]),
        address(joint["adjudicator"]),
        raw(joint["adjudicatorConfig"]),
        str(joint["deliverBy"]).encode("ascii"),
        str(joint["adjudicateBy"]).encode("ascii"),
        *side(joint["a"]),
        *side(joint["b"]),
    ).removeprefix("0x")


def main(arguments: list) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    file = json.loads(Path(arguments[0]).read_text("utf-8"))
    recomputed = [(vector, recompute(vector)) for vector in file["vectors"]]
    recomputed += [(vector, {"workflowId": joint_workflow_id(vector["joint"])}) for vector in file["joints"]]
    agree = differ = 0
    for vector, values in recomputed:
        for name, value in values.items():
            if vector[name] == value:
                agree += 1
            else:
                differ += 1
                print(f"{vector['name']}: {name} is {vector[name]}, recomputed {value}")
    print(f"{agree} agree, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
