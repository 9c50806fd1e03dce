"""The parts that can be tried without a process."""

import json
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skygit.sandboxes import cells, channel
from skygit.sandboxes.capture import Capture
from skygit.sandboxes.environment import environment
from skygit.sandboxes.order import Order, Overlay, order_of, receive, send


@given(st.lists(st.binary(max_size=3000), max_size=30), st.integers(2, 4000))
def test_a_capture_keeps_all_or_both_ends(chunks: list[bytes], limit: int) -> None:
    reading, writing = os.pipe()
    capture = Capture(reading, limit)
    for chunk in chunks:
        os.write(writing, chunk)
        if chunk:
            assert capture.read()
    os.close(writing)
    capture.drain()
    os.close(reading)
    whole, half = b"".join(chunks), limit // 2
    assert capture.total == len(whole)
    if len(whole) <= 2 * half:
        assert capture.kept == whole
    else:
        head, _, rest = capture.kept.partition(b"\n[... ")
        cut, _, tail = rest.partition(b" bytes cut ...]\n")
        assert capture.kept.startswith(whole[:half])
        assert capture.kept.endswith(whole[len(whole) - half :])
        if b"[" not in whole:
            assert (len(head), int(cut), len(tail)) == (half, len(whole) - 2 * half, half)


@given(
    st.text(alphabet=st.characters(codec="utf-8"), min_size=1).map(lambda text: text + "\udcff"),
    st.binary(),
    st.one_of(st.none(), st.builds(Overlay, st.text(), st.text(), st.text(), st.tuples(st.text()))),
)
def test_an_order_arrives_as_it_was_sent(word: str, stdin: bytes, overlay: Overlay | None) -> None:
    order = Order((word,), {"a": word}, word, "cell", 1.5, 0.1, 1, 2, 3, 4, 5, 6, True, overlay)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        send(ours, order, [stdin, b"second"])
        header, blobs = receive(theirs)
    assert json.dumps(order_of(header)) == json.dumps(order)
    assert blobs == [stdin, b"second"]


def test_a_frame_cut_short_is_the_end() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            ours.sendall(b"\0\0\0\x09[[")
        with pytest.raises(EOFError):
            receive(theirs)


@given(st.binary(max_size=200))
def test_noise_on_the_channel_is_never_a_result(noise: bytes) -> None:
    nonce = channel.open_nonce()
    assert channel.verdict(nonce, noise)[0] == ""
    result, fault = channel.verdict(nonce, f"{nonce} 1.5\n".encode())
    assert (result, fault) == ("1.5", "")


def test_only_harmless_variables_are_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LD_PRELOAD", "AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "GIT_DIR", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("LC_TIME", "C")
    seen = environment({"NAMED": "y"}, "/cell")
    assert set(seen) <= {"PATH", "LANG", "TZ", "HOME", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "NAMED", "LC_TIME"} | {
        name for name in os.environ if name.startswith("LC_")
    }
    assert (seen["HOME"], seen["NAMED"], seen["LC_TIME"]) == ("/cell/home", "y", "C")


def test_a_used_cell_is_made_anew_and_a_fresh_one_kept(tmp_path: Path) -> None:
    cell = tmp_path / "0001"
    cells.ready(str(cell))
    before = cell.stat().st_ino
    cells.leave(str(cell))
    assert cell.stat().st_ino == before
    (cell / "tmp" / "deep").mkdir()
    (cell / "tmp" / "deep").chmod(0)
    (cell / "extra").write_text("")
    cells.leave(str(cell))
    assert not cell.exists()
    cells.ready(str(cell))
    assert sorted(path.name for path in cell.iterdir()) == ["home", "tmp"]
