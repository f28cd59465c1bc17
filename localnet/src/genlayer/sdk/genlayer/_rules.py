"""The rules of GenVM that this package enforces, and the one exception that breaking any of them raises."""


class RuleBroken(BaseException):
    """A contract did what GenVM refuses. Not an `Exception`, so that no contract can swallow it."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(f"{rule}: {detail}")
        self.rule = rule


# Rule names, as they appear at the start of a VM error's text.
STORAGE_TYPE = "storage-type"
STORAGE_VALUE = "storage-value"
STORAGE_IN_BLOCK = "storage-in-nondet-block"
STORAGE_IN_VIEW = "storage-write-in-view"
NESTED_BLOCK = "nested-nondet-block"
OUTSIDE_BLOCK = "nondet-outside-block"
CLOSURE = "unpicklable-closure"
CALLDATA = "calldata"
METHOD = "not-a-public-method"
VALUE = "value-to-non-payable"
CONTRACT = "one-contract-class"
IMPORT = "forbidden-import"
BLOCK_LIMIT = "too-many-nondet-blocks"
UNSUPPORTED = "not-in-this-stand-in"
