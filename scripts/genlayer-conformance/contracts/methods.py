# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from genlayer import *


class Methods(gl.Contract):
    count: u32

    def __init__(self, start: int = 0, *, step: int = 1) -> None:
        self.count = u32(start + step)

    @gl.public.view
    def get(self) -> int:
        return self.count

    @gl.public.view
    def set_in_view(self) -> int:
        self.count = u32(50)
        return self.count

    @gl.public.write
    def set(self, value: int) -> int:
        self.count = u32(value)
        return self.count

    @gl.public.write.payable
    def pay(self) -> list:
        return [gl.message.value, type(gl.message.value).__name__]

    def hidden(self) -> int:
        return 1

    @gl.public.write
    def call_hidden(self) -> int:
        return self.hidden()

    @gl.public.view
    def message(self) -> list:
        m = gl.message
        return [
            m.contract_address,
            m.sender_address,
            m.origin_address,
            m.value,
            m.chain_id,
            m.sender_address.as_hex,
            gl.message_raw["datetime"],
            gl.message_raw["is_init"],
            gl.message_raw["sender_address"] == m.sender_address,
        ]

    @gl.public.view
    def own_address(self) -> Address:
        return self.address

    @gl.public.view
    def addresses(self) -> list:
        one = Address("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
        other = Address(bytes.fromhex("fb6916095ca1df60bb79ce92ce3ea74c37c5d359"))
        return [
            one.as_hex,
            other.as_hex,
            one.as_bytes,
            one.as_int % 1000,
            one == Address(one.as_bytes),
            one == one.as_hex,
            one < other,
            one > other,
            len({one, Address(one.as_hex)}),
        ]

    @gl.public.view
    def address_texts(self) -> list:
        one = Address("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
        return [str(one), repr(one), f"{one}", f"{one:x}", one.as_b64]

    @gl.public.view
    def address_of(self, text: str) -> str:
        return Address(text).as_hex

    @gl.public.view
    def keccak(self) -> bytes:
        return Keccak256(b"abc").digest()


