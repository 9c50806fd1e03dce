"""Fetch a project's source archive by name and version, unpack it, add the benchmark, commit.

The measured package is kept a second time in `bench/original`, so that the benchmark can
tell what the original answers.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
METER = HERE.parent / "python_multi" / "query_engine" / "seed" / "bench"
METER_FILES = ("meter.py", "metering.py", "policy.py")
TARGETS = {"pathfinding": "1.0.23", "sortedcontainers": "2.4.0", "textdistance": "4.6.3"}
AUTHOR = ("-c", "user.name=skygit", "-c", "user.email=skygit@localhost", "-c", "commit.gpgsign=false")


class FetchError(RuntimeError):
    """Why there is no target, in one line."""


def fetch(name: str, folder: Path, sdist: Path | None = None) -> None:
    """Make the folder a git repository that holds the project and its benchmark."""
    if folder.exists() and any(folder.iterdir()):
        raise FetchError(f"{folder} is not empty; name a folder that is, or does not exist")
    with tempfile.TemporaryDirectory() as room:
        unpack(sdist or download(name, Path(room)), folder)
    add_benchmark(name, folder)
    commit(name, folder)


def download(name: str, room: Path) -> Path:
    """The source archive, by pip."""
    wanted = f"{name}=={TARGETS[name]}"
    command = [sys.executable, "-m", "pip", "download", "--no-binary", ":all:", "--no-deps"]
    done = subprocess.run([*command, "-q", "-d", str(room), wanted], capture_output=True, text=True, check=False)
    found = sorted(room.glob("*.tar.gz"))
    if not found:
        said = (done.stderr.strip().splitlines() or ["no archive"])[-1]
        raise FetchError(f"pip could not fetch {wanted}: {said}")
    return found[0]


def unpack(archive: Path, folder: Path) -> None:
    """The archive's files, without its outermost folder."""
    with tempfile.TemporaryDirectory() as room:
        with tarfile.open(archive) as tar:
            tar.extractall(room, filter="data")
        (top,) = Path(room).iterdir()
        shutil.copytree(top, folder, dirs_exist_ok=True)


def add_benchmark(name: str, folder: Path) -> None:
    """bench/ and .skydiscover.yaml, which calls the Python that runs this."""
    bench = folder / "bench"
    shutil.copytree(HERE / name / "bench", bench, ignore=shutil.ignore_patterns("__pycache__"))
    for file in METER_FILES:
        shutil.copy(METER / file, bench / file)
    shutil.copy(HERE / "target.py", bench / "target.py")
    shutil.copytree(folder / name, bench / "original" / name)
    text = (HERE / name / "skydiscover.yaml").read_text("utf-8")
    (folder / ".skydiscover.yaml").write_text(text.replace('"{python}"', json.dumps(sys.executable)), "utf-8")


def commit(name: str, folder: Path) -> None:
    """The whole folder as the first commit."""
    message = f"{name} {TARGETS[name]} with its benchmark"
    for arguments in (["init", "-q"], ["add", "-A", "-f"], [*AUTHOR, "commit", "-q", "--no-verify", "-m", message]):
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise FetchError(f"git {arguments[0]}: {done.stderr.strip()}")
