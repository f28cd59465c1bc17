#!/usr/bin/env python3
"""
Assay's hashes and signatures a second time, from the published formats and the standard library alone.

    python3 verify.py vectors <folder>    recompute every vector in canonical-json, documents and identifiers
    python3 verify.py bundle <file>       verify what a verdict bundle proves by itself

Prints a line for each value that differs, and how many agree. Exits 0 when all do, 1 when some don't, 2 for a
wrong command line. Nothing here shares code with the TypeScript packages or with the contracts;
docs/protocol/verify.md says in words what each function does.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

MAX_SAFE_INTEGER = 2**53 - 1
MAX_DEPTH = 64


# --- Canonical JSON (RFC 8785, with refusals) ---------------------------------------------------------------


def parse_strict(text: str) -> object:
    """JSON without anything that two readers could understand differently. Raises ValueError."""
    value = json.loads(
        text,
        object_pairs_hook=_unique,
        parse_int=_safe_integer,
        parse_float=_refuse,
        parse_constant=_refuse,
    )
    _examine(value, 0)
    return value


def _unique(pairs: list) -> dict:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key occurs twice")
    return result


def _safe_integer(text: str) -> int:
    if text == "-0" or len(text) > 17 or abs(int(text)) > MAX_SAFE_INTEGER:
        raise ValueError("an integer beyond 2^53 - 1, or minus zero")
    return int(text)


def _refuse(text: str) -> object:
    raise ValueError(f"{text} is no integer")


def _examine(value: object, depth: int) -> None:
    if isinstance(value, str):
        value.encode("utf-8")  # An unpaired surrogate has no UTF-8 form.
    elif isinstance(value, (dict, list)):
        if depth >= MAX_DEPTH:
            raise ValueError("nested too deep")
        items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        for item in items:
            _examine(item, depth + 1)


def canonical(value: object) -> str:
    """No white space, keys in the order of their UTF-16 code units, shortest escapes."""
    if isinstance(value, dict):
        entries = sorted(value.items(), key=lambda entry: entry[0].encode("utf-16-be"))
        return "{" + ",".join(canonical(key) + ":" + canonical(item) for key, item in entries) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# --- Hashes -------------------------------------------------------------------------------------------------


def sha256(data: bytes) -> str:
    """0x and the SHA-256 of bytes: the name of a document."""
    return "0x" + hashlib.sha256(data).hexdigest()


def document_cid(digest: str) -> str:
    """CIDv1 (raw, sha2-256) of a document, from its SHA-256."""
    multihash = bytes([0x01, 0x55, 0x12, 0x20]) + unhex(digest)
    return "b" + base64.b32encode(multihash).decode("ascii").lower().rstrip("=")


_MASK = 2**64 - 1
_ROTATIONS = (
    (0, 36, 3, 41, 18),
    (1, 44, 10, 45, 2),
    (62, 6, 43, 15, 61),
    (28, 55, 25, 21, 56),
    (27, 20, 39, 8, 14),
)


def _round_constants() -> list:
    """Each bit comes from the linear feedback shift register of the Keccak specification."""
    state, constants = 1, []
    for _ in range(24):
        constant = 0
        for power in range(7):
            if state & 1:
                constant |= 1 << (2**power - 1)
            state = (state << 1) ^ (0x171 if state & 0x80 else 0)
        constants.append(constant)
    return constants


_CONSTANTS = _round_constants()


def _rotate(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & _MASK if by else word


def _permute(lanes: list) -> list:
    """Keccak-f[1600] over 5 by 5 lanes of 64 bits, lanes[x][y]."""
    for constant in _CONSTANTS:
        parity = [lanes[x][0] ^ lanes[x][1] ^ lanes[x][2] ^ lanes[x][3] ^ lanes[x][4] for x in range(5)]
        delta = [parity[(x - 1) % 5] ^ _rotate(parity[(x + 1) % 5], 1) for x in range(5)]
        lanes = [[lane ^ delta[x] for lane in lanes[x]] for x in range(5)]
        moved = [[0] * 5 for _ in range(5)]
        for x in range(5):
            for y in range(5):
                moved[y][(2 * x + 3 * y) % 5] = _rotate(lanes[x][y], _ROTATIONS[x][y])
        lanes = [
            [moved[x][y] ^ (~moved[(x + 1) % 5][y] & _MASK & moved[(x + 2) % 5][y]) for y in range(5)]
            for x in range(5)
        ]
        lanes[0][0] ^= constant
    return lanes


def keccak256(data: bytes) -> bytes:
    """Keccak-256 with the original padding, as the EVM computes it (not SHA3-256)."""
    rate = 136
    padded = bytearray(data) + bytearray(rate - len(data) % rate)
    padded[len(data)] ^= 0x01
    padded[-1] ^= 0x80
    lanes = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), rate):
        for index in range(rate // 8):
            word = padded[start + 8 * index : start + 8 * index + 8]
            lanes[index % 5][index // 5] ^= int.from_bytes(word, "little")
        lanes = _permute(lanes)
    return b"".join(lanes[index % 5][index // 5].to_bytes(8, "little") for index in range(4))


# --- EIP-712 and the ABI ------------------------------------------------------------------------------------

DOMAIN_TYPE = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
TERMS_TYPE = (
    "Terms(address buyer,address seller,uint256 reward,bytes32 agreementHash,address adjudicator,"
    "bytes32 adjudicatorConfig,uint48 deliverBy,uint48 adjudicateBy,uint16 noVerdictSellerBps,uint256 salt)"
)
VERDICT_TYPE = (
    "Verdict(address escrow,bytes32 agreementId,bytes32 submissionHash,uint8 outcome,bytes32 verdictHash,"
    "address judge,bytes32 judgeTx,uint48 notAfter)"
)


def unhex(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))


def word(value: object) -> bytes:
    """A static ABI value as 32 bytes: an integer (its decimal text too), an address, or 32 bytes in hex."""
    if isinstance(value, str) and value.startswith("0x"):
        return unhex(value).rjust(32, b"\0")
    return int(value).to_bytes(32, "big")


def struct_hash(type_text: str, values: list) -> bytes:
    return keccak256(keccak256(type_text.encode()) + b"".join(map(word, values)))


def domain_separator(name: str, chain_id: int, contract: str) -> bytes:
    strings = keccak256(name.encode()) + keccak256(b"1")
    return keccak256(keccak256(DOMAIN_TYPE.encode()) + strings + word(chain_id) + word(contract))


def typed_data_digest(separator: bytes, struct: bytes) -> str:
    return "0x" + keccak256(b"\x19\x01" + separator + struct).hex()


def members_of(type_text: str) -> list:
    """Names of a struct's members, in order."""
    return [member.split(" ")[1] for member in type_text[type_text.index("(") + 1 : -1].split(",")]


def agreement_id(terms: dict, chain_id: int, escrow: str) -> str:
    values = [terms[name] for name in members_of(TERMS_TYPE)]
    separator = domain_separator("Assay Escrow", chain_id, escrow)
    return typed_data_digest(separator, struct_hash(TERMS_TYPE, values))


def verdict_digest(verdict: dict, chain_id: int, quorum: str) -> str:
    values = [verdict[name] for name in members_of(VERDICT_TYPE)]
    separator = domain_separator("Assay Verdict", chain_id, quorum)
    return typed_data_digest(separator, struct_hash(VERDICT_TYPE, values))


def adjudicator_config(members: list, threshold: int) -> str:
    """keccak256(abi.encode(address[] members, uint256 threshold))."""
    encoded = [word(0x40), word(threshold), word(len(members)), *map(word, members)]
    return "0x" + keccak256(b"".join(encoded)).hex()


def adjudication_key(subject: dict) -> str:
    """SHA-256 over fields, each behind its length as a 64-bit big-endian byte count."""
    fields = [
        b"assay/adjudication-key/1",
        str(subject["chainId"]).encode(),
        subject["escrow"].lower().encode(),
        unhex(subject["agreementId"]),
        unhex(subject["agreementHash"]),
        unhex(subject["submissionHash"]),
    ]
    return sha256(b"".join(len(field).to_bytes(8, "big") + field for field in fields))


def verdict_hash(record: str) -> str:
    """Keccak-256 of the record's canonical text."""
    return "0x" + keccak256(record.encode()).hex()


# --- secp256k1 ----------------------------------------------------------------------------------------------

_PRIME = 2**256 - 2**32 - 977
_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_BASE = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def _add(one: tuple | None, other: tuple | None) -> tuple | None:
    """Sum of two points; None is the point at infinity."""
    if one is None or other is None:
        return other if one is None else one
    if one[0] == other[0]:
        if (one[1] + other[1]) % _PRIME == 0:
            return None
        slope = 3 * one[0] * one[0] * pow(2 * one[1], -1, _PRIME)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, _PRIME)
    x = (slope * slope - one[0] - other[0]) % _PRIME
    return x, (slope * (one[0] - x) - one[1]) % _PRIME


def _multiply(point: tuple | None, factor: int) -> tuple | None:
    result = None
    while factor:
        if factor & 1:
            result = _add(result, point)
        point = _add(point, point)
        factor >>= 1
    return result


def recover(digest: str, signature: str) -> str | None:
    """The address (lower case) that signed the digest; None when the signature is none, or has a high s."""
    raw = unhex(signature)
    if len(raw) != 65 or raw[64] not in (27, 28):
        return None
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:64], "big")
    if not 0 < r < _ORDER or not 0 < s <= _ORDER // 2:
        return None
    square = (pow(r, 3, _PRIME) + 7) % _PRIME
    y = pow(square, (_PRIME + 1) // 4, _PRIME)
    if y * y % _PRIME != square:
        return None
    if y % 2 != raw[64] - 27:
        y = _PRIME - y
    inverse, message = pow(r, -1, _ORDER), int(digest, 16)
    point = _add(
        _multiply((r, y), s * inverse % _ORDER),
        _multiply(_BASE, -message * inverse % _ORDER),
    )
    if point is None:
        return None
    key = point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")
    return "0x" + keccak256(key)[12:].hex()


# --- Vectors ------------------------------------------------------------------------------------------------


class Tally:
    """Prints what does not hold and counts what was compared."""

    def __init__(self) -> None:
        self.compared = 0
        self.failed = 0

    def equal(self, what: str, expected: object, actual: object) -> None:
        self.compared += 1
        if expected != actual:
            self.failed += 1
            print(f"FAIL {what}: expected {expected}, computed {actual}")

    def refused(self, what: str, source: bytes | str) -> None:
        self.compared += 1
        try:
            parse_strict(source.decode("utf-8") if isinstance(source, bytes) else source)
        except (ValueError, RecursionError):
            return
        self.failed += 1
        print(f"FAIL {what}: was not refused")


def check_vectors(folder: Path, tally: Tally) -> None:
    vectors = json.loads((folder / "canonical-json.json").read_text("utf-8"))
    for case in vectors["accepted"]:
        text = canonical(parse_strict(case["input"]))
        tally.equal(f"canonical form, {case['name']}", case["canonical"], text)
        tally.equal(f"SHA-256, {case['name']}", case["sha256"], sha256(text.encode()))
    for case in vectors["refused"]:
        source = bytes.fromhex(case["inputHex"]) if "inputHex" in case else case["input"]
        tally.refused(case["name"], source)

    for document in json.loads((folder / "documents.json").read_text("utf-8"))["accepted"]:
        text, name = document["canonical"], f"{document['format']}, {document['name']}"
        tally.equal(f"canonical form of {name}", text, canonical(parse_strict(text)))
        tally.equal(f"bytes of {name}", document["bytes"], len(text.encode()))
        tally.equal(f"SHA-256 of {name}", document["sha256"], sha256(text.encode()))
        tally.equal(f"CID of {name}", document["cid"], document_cid(document["sha256"]))

    check_identifiers(json.loads((folder / "identifiers.json").read_text("utf-8")), tally)


def check_identifiers(vectors: dict, tally: Tally) -> None:
    chain_id, escrow, quorum = vectors["chainId"], vectors["escrow"], vectors["quorum"]
    escrow_domain = domain_separator("Assay Escrow", chain_id, escrow)
    quorum_domain = domain_separator("Assay Verdict", chain_id, quorum)
    tally.equal("escrow domain", vectors["domainSeparators"]["escrow"], "0x" + escrow_domain.hex())
    tally.equal("quorum domain", vectors["domainSeparators"]["quorum"], "0x" + quorum_domain.hex())
    for case in vectors["agreements"]:
        computed = agreement_id(case["terms"], case["chainId"], case["escrow"])
        tally.equal(f"agreement id, {case['name']}", case["agreementId"], computed)
    messages = {
        "acceptance": "Acceptance(bytes32 agreementId)",
        "submission": "Submission(bytes32 agreementId,bytes32 submissionHash)",
        "settlement": "Settlement(bytes32 agreementId,uint256 sellerAmount)",
    }
    for name, type_text in messages.items():
        case = vectors["digests"][name]
        struct = struct_hash(type_text, [case[member] for member in members_of(type_text)])
        tally.equal(f"{name} digest", case["digest"], typed_data_digest(escrow_domain, struct))
    for case in vectors["adjudicatorConfigs"]:
        computed = adjudicator_config(case["members"], case["threshold"])
        tally.equal("adjudicator configuration", case["adjudicatorConfig"], computed)
    for case in vectors["adjudicationKeys"]:
        tally.equal("adjudication key", case["adjudicationKey"], adjudication_key(case))
    for case in vectors["verdicts"]:
        name, certificate = case["name"], case["certificate"]
        tally.equal(f"verdict hash, {name}", certificate["verdictHash"], verdict_hash(case["record"]))
        tally.equal(f"record's key, {name}", *keys_of(case["record"]))
        tally.equal(f"verdict digest, {name}", case["digest"], verdict_digest(certificate, chain_id, quorum))


def keys_of(record: str) -> tuple:
    """The adjudication key in a verdict record, and the one that follows from its other members."""
    value = parse_strict(record)
    return value["adjudicationKey"], adjudication_key(value)


# --- Bundles ------------------------------------------------------------------------------------------------

EVENTS = {
    "Funded": "Funded(bytes32,address,address,"
    "(address,address,uint256,bytes32,address,bytes32,uint48,uint48,uint16,uint256))",
    "Submitted": "Submitted(bytes32,bytes32)",
    "Released": "Released(bytes32,bytes32,bytes32)",
    "Refunded": "Refunded(bytes32,bytes32,bytes32)",
    "Concluded": "Concluded(bytes32,bytes32,bytes32,uint256)",
}
DELIVER_PACKED = "deliverPacked(bytes)"
ENDING_OF = {1: "Released", 2: "Refunded", 3: "Concluded", 4: "Refunded"}
OUTCOMES = {"PASS": 1, "FAIL": 2, "UNDETERMINED": 3, "WITHHELD": 4}


def check_bundle(path: Path, tally: Tally) -> None:
    """What a bundle proves by itself; what only a node can tell, such as finality, is left out."""
    bundle = parse_strict(path.read_text("utf-8"))
    evm, identifier = bundle["evm"], bundle["agreementId"]
    chain_id, escrow = evm["chainId"], evm["escrow"]
    events = events_of(bundle)

    terms = terms_of(events["Funded"][0])
    tally.equal("agreementId", identifier, agreement_id(terms, chain_id, escrow))
    agreement, submission = bundle["documents"]["agreement"], bundle["documents"]["submission"]
    tally.equal("agreementHash", terms["agreementHash"], sha256(agreement.encode()))
    submission_hash = "0x" + events["Submitted"][0].hex()
    tally.equal("submissionHash", submission_hash, sha256(submission.encode()))

    record = parse_strict(bundle["verdictRecord"])
    ending = ENDING_OF[OUTCOMES[record["outcome"]]]
    tally.equal("settlement", True, ending in events)
    settled, transaction = events[ending]
    on_chain = "0x" + settled[32:64].hex()
    tally.equal("verdictHash", on_chain, verdict_hash(bundle["verdictRecord"]))
    subject = {
        "chainId": chain_id,
        "escrow": escrow,
        "agreementId": identifier,
        "agreementHash": terms["agreementHash"],
        "submissionHash": submission_hash,
    }
    tally.equal("recordSubject", subject, {name: record[name] for name in subject})
    tally.equal("adjudicationKey", record["adjudicationKey"], adjudication_key(subject))
    stored = (bundle["judge"] or {}).get("record")
    if stored is not None:
        tally.equal("adjudicationHash", record["adjudicationHash"], sha256(stored["record"].encode()))
        code = base64.b64decode(bundle["judge"]["code"])
        tally.equal("codeHash", record["judge"]["codeHash"], sha256(code))

    check_certificate(unhex(transaction["input"]), bundle, terms, record, tally)


def check_certificate(data: bytes, bundle: dict, terms: dict, record: dict, tally: Tally) -> None:
    """Checks a packed delivery, whose table is in contracts-evm/interfaces/IVerdictQuorum.sol."""
    tally.equal("delivery", keccak256(DELIVER_PACKED.encode())[:4].hex(), data[:4].hex())
    packed = data[68 : 68 + int.from_bytes(data[36:68], "big")]
    threshold, count, cursor = packed[271], packed[272], 273
    members = ["0x" + packed[cursor + 20 * i : cursor + 20 * i + 20].hex() for i in range(count)]
    cursor += 20 * count
    tally.equal("quorum", terms["adjudicatorConfig"], adjudicator_config(members, threshold))
    verdict = {
        "escrow": "0x" + packed[0:20].hex(),
        "agreementId": bundle["agreementId"],
        "submissionHash": "0x" + packed[154:186].hex(),
        "outcome": packed[186],
        "verdictHash": "0x" + packed[187:219].hex(),
        "judge": "0x" + packed[219:239].hex(),
        "judgeTx": "0x" + packed[239:271].hex(),
        "notAfter": terms["adjudicateBy"],
    }
    expected = {
        "escrow": record["escrow"].lower(),
        "agreementId": record["agreementId"],
        "submissionHash": record["submissionHash"],
        "outcome": OUTCOMES[record["outcome"]],
        "verdictHash": verdict_hash(canonical(record)),
        "judge": record["judge"]["contract"].lower(),
        "judgeTx": record["transactions"][-1] if record["transactions"] else "0x" + "00" * 32,
        "notAfter": terms["adjudicateBy"],
    }
    tally.equal("certificate", expected, verdict)
    digest = verdict_digest(verdict, bundle["evm"]["chainId"], terms["adjudicator"])
    signers = 0
    for member in members:
        size = packed[cursor]
        signature = packed[cursor + 1 : cursor + 1 + size].hex()
        cursor += 1 + size
        if size:
            tally.equal("signatures", member, recover(digest, signature))
            signers += 1
    tally.equal("threshold", True, signers >= threshold)


def events_of(bundle: dict) -> dict:
    """Data of the escrow's events about the agreement, by name, with the transaction that logged each."""
    names = {"0x" + keccak256(text.encode()).hex(): name for name, text in EVENTS.items()}
    found = {}
    for transaction in bundle["evm"]["transactions"]:
        for log in transaction["logs"]:
            if log["address"] == bundle["evm"]["escrow"] and log["topics"][1] == bundle["agreementId"]:
                found[names.get(log["topics"][0], "other")] = (unhex(log["data"]), transaction)
    return found


def terms_of(data: bytes) -> dict:
    """The ten words of a Funded event's data, by the members' names."""
    kinds = [member.split(" ")[0] for member in TERMS_TYPE[TERMS_TYPE.index("(") + 1 : -1].split(",")]
    values = {}
    for index, (name, kind) in enumerate(zip(members_of(TERMS_TYPE), kinds, strict=True)):
        raw = data[32 * index : 32 * index + 32]
        if kind.startswith("uint"):
            values[name] = int.from_bytes(raw, "big")
        else:
            values[name] = "0x" + (raw[12:] if kind == "address" else raw).hex()
    return values


def main(arguments: list) -> int:
    commands = {"vectors": check_vectors, "bundle": check_bundle}
    if len(arguments) != 2 or arguments[0] not in commands:
        print(__doc__)
        return 2
    tally = Tally()
    try:
        commands[arguments[0]](Path(arguments[1]), tally)
    except (LookupError, TypeError, ValueError) as error:
        tally.equal("form", "what the formats say", repr(error))
    print(f"{tally.compared - tally.failed} of {tally.compared} values agree")
    return 1 if tally.failed or not tally.compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
