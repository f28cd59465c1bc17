"""
Runs cases on the official SDK. Reads one JSON object on standard input, writes one JSON line for each case.

    {"sdk": PATH, "host": "entry" | "direct", "settings": {…}, "cases": [{"id", "source", "steps", "needs"}]}
    {"id", "observed": [{"return" | "userError" | "vmError", "votes"?}]} | {"id", "notShown": [need]}
"""

import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import direct
import entry_point
from sdk_path import SdkNotFound, sdk_paths


def main() -> None:
    if sys.argv[1:] == ["--one-direct-case"]:
        task = json.load(sys.stdin)
        sys.path[:0] = task["paths"]
        observed = direct.run_case(task["case"], task["settings"], task["paths"])
        with open(task["answer"], "w") as file:
            json.dump(observed, file)
        return
    task = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            paths = sdk_paths(task["sdk"], task["pinSource"], scratch)
        except (SdkNotFound, OSError) as error:
            _write({"error": str(error)})
            return
        sys.path[:0] = paths
        try:
            _write({"environment": _environment(task["host"])})
        except ImportError as error:
            _write({"error": f"{error}: needed are cloudpickle and, for direct mode, genlayer-test"})
            return
        # Each case waits for processes of its own, so threads are enough.
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for line in pool.map(lambda case: {"id": case["id"], **_run(case, task, paths)}, task["cases"]):
                _write(line)


def _environment(host: str) -> str:
    import cloudpickle
    import genlayer.py.calldata  # noqa: F401

    version = ".".join(map(str, sys.version_info[:3]))
    parts = [f"CPython {version}", f"cloudpickle {cloudpickle.__version__}"]
    if host == "direct":
        import gltest.direct  # noqa: F401

        parts.append(f"genlayer-test {importlib.metadata.version('genlayer-test')}")
    return ", ".join(parts)


def _run(case: dict, task: dict, paths: list[str]) -> dict:
    if task["host"] == "entry":
        return {"observed": entry_point.run_case(case, task["settings"], paths)}
    not_shown = sorted(direct.NOT_SHOWN.intersection(case["needs"]))
    if not_shown:
        return {"notShown": not_shown}
    with tempfile.TemporaryDirectory() as scratch:
        answer = os.path.join(scratch, "answer")
        inner = {"case": case, "settings": task["settings"], "paths": paths, "answer": answer}
        done = subprocess.run(
            [sys.executable, "-B", __file__, "--one-direct-case"],
            input=json.dumps(inner).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=120,
        )
        if not os.path.exists(answer):
            return {"failure": done.stdout.decode("utf-8", "replace")[-2000:]}
        with open(answer) as file:
            return {"observed": json.load(file)}


def _write(line: dict) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
