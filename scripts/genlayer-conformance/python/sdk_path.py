"""Where the official SDK's packages are: a source tree, an extracted runner, or a GenVM release tarball."""

import json
import re
import tarfile
from pathlib import Path

RUNNER = "py-genlayer"
DEPENDS = re.compile(r'"Depends":\s*"' + RUNNER + r':([^"]+)"')


class SdkNotFound(Exception):
    """There is no SDK at the path; the text says what was looked for."""


def sdk_paths(path: str, pin_source: str, scratch: str) -> list[str]:
    """
    The directories to put on `sys.path`. `pin_source` is a contract whose header names the runner that is
    taken from a tarball; what is unpacked goes to `scratch`.
    """
    root = Path(path).resolve()
    if root.is_file():
        return _from_release(root, pin_source, Path(scratch))
    for candidate in ("", "src", "runners/genlayer-py-std/src", "genlayer-py-std/src"):
        if (root / candidate / "genlayer" / "__init__.py").is_file():
            return [str(root / candidate)]
    raise SdkNotFound(f"{root} holds no `genlayer` package; name the directory that holds `genlayer/`")


def _from_release(release: Path, pin_source: str, scratch: Path) -> list[str]:
    pin = DEPENDS.search(pin_source)
    if pin is None:
        raise SdkNotFound(f"the contract's header names no {RUNNER} runner")
    paths: list[str] = []
    try:
        with tarfile.open(release) as archive:
            _unpack(archive, RUNNER, pin.group(1), scratch, paths)
    except tarfile.TarError as error:
        raise SdkNotFound(f"{release} is no release tarball: {error}") from None
    # Only the parts that hold Python packages matter; CPython itself is the one that runs this.
    return [item for item in paths if any(Path(item).glob("*/__init__.py"))]


def _unpack(archive: tarfile.TarFile, kind: str, digest: str, scratch: Path, paths: list[str]) -> None:
    name = f"runners/{kind}/{digest[:2]}/{digest[2:]}.tar"
    member = next((item for item in archive if item.name.removeprefix("./") == name), None)
    if member is None:
        raise SdkNotFound(f"the tarball holds no {name}")
    target = scratch / kind / digest
    if str(target) in paths:
        return
    target.mkdir(parents=True)
    with tarfile.open(fileobj=archive.extractfile(member)) as runner:
        runner.extractall(target, filter="data")
    paths.append(str(target))
    manifest = target / "runner.json"
    if manifest.is_file():
        for dependency in _dependencies(json.loads(manifest.read_text())):
            other, _, other_digest = dependency.partition(":")
            if other.startswith("py-lib"):
                _unpack(archive, other, other_digest, scratch, paths)


def _dependencies(action: object) -> list[str]:
    if isinstance(action, dict):
        own = [action["Depends"]] if isinstance(action.get("Depends"), str) else []
        return own + [found for value in action.values() for found in _dependencies(value)]
    if isinstance(action, list):
        return [found for item in action for found in _dependencies(item)]
    return []
