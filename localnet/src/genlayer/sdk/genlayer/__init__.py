"""
A stand-in of ours for the GenLayer SDK v0.2.16: the surface that this project's contracts use, and GenVM's
rules about it. What GenVM refuses is refused here with the rule's name; what this package lacks is refused as
such.
"""

from . import _gl as gl
from . import _types
from ._storage import DynArray, TreeMap, allow_storage
from ._types import Address

globals().update({name: getattr(_types, name) for name in _types.INTEGER_NAMES})

__all__ = ["Address", "DynArray", "TreeMap", "allow_storage", "gl", *_types.INTEGER_NAMES]
