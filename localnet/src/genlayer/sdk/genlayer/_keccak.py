"""Keccak-256 as Ethereum uses it (the padding of the competition, not of SHA-3)."""

_MASK = (1 << 64) - 1
_RATE = 136


def _constants() -> tuple[list[int], list[int]]:
    """Round constants and rotation offsets, computed by their definitions."""
    rounds, lfsr = [], 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if lfsr & 1:
                constant |= 1 << ((1 << j) - 1)
            lfsr = (lfsr << 1) ^ (0x171 if lfsr & 0x80 else 0)
        rounds.append(constant)
    offsets, x, y = [0] * 25, 1, 0
    for t in range(24):
        offsets[x + 5 * y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return rounds, offsets


_ROUNDS, _OFFSETS = _constants()


def _permute(state: list[int]) -> None:
    for constant in _ROUNDS:
        column = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
        moved = [0] * 25
        for x in range(5):
            turned = column[(x + 1) % 5]
            theta = column[x - 1] ^ (turned << 1 | turned >> 63) & _MASK
            for y in range(5):
                lane, offset = state[x + 5 * y] ^ theta, _OFFSETS[x + 5 * y]
                moved[y + 5 * ((2 * x + 3 * y) % 5)] = (lane << offset | lane >> (64 - offset)) & _MASK
        for y in range(0, 25, 5):
            for x in range(5):
                state[y + x] = moved[y + x] ^ (~moved[y + (x + 1) % 5] & moved[y + (x + 2) % 5])
        state[0] ^= constant


def keccak256(data: bytes) -> bytes:
    """The 32-byte Keccak-256 hash of `data`."""
    padded = bytearray(data)
    padded += bytes(_RATE - len(data) % _RATE)
    padded[len(data)] ^= 0x01
    padded[-1] ^= 0x80
    state = [0] * 25
    for start in range(0, len(padded), _RATE):
        for i in range(_RATE // 8):
            state[i] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        _permute(state)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])
