"""Settings are checked before money is spent; keys are found, masked, and never sent elsewhere."""

import subprocess
import sys
import textwrap
import threading
import time

import pytest

from skygit.errors import ConfigError, Outage
from skygit.llm.pool import ModelPool
from skygit.llm.secrets import key_of, scrub, secret_values
from skygit.llm.settings import ModelSettings
from skygit.llm.waiting import rest, within


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": " "}, "needs a name"),
        ({"weight": -1.0}, "weight is -1"),
        ({"weight": float("nan")}, "weight is nan"),
        ({"timeout": 0.0}, "timeout is 0"),
        ({"params": {"api_key": "sk-1"}}, "name the variable in `api_key_env`"),
        ({"params": {"messages": []}}, "params may not hold `messages`"),
    ],
)
def test_settings_that_cannot_be_obeyed(changes, words):
    with pytest.raises(ConfigError, match=words) as caught:
        ModelPool([ModelSettings(**{"model": "openai/one", **changes})])
    assert "sk-1" not in str(caught.value)


def test_keys_are_found_by_the_settings_and_by_their_names(monkeypatch):
    monkeypatch.setenv("MY_OWN", "tiny")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abc")
    monkeypatch.setenv("KEYBOARD_LAYOUT", "de-latin1-nodeadkeys")
    monkeypatch.setenv("SHORT_KEY", "yes")
    found = secret_values([ModelSettings(model="openai/one", api_key_env="MY_OWN")])
    assert {"tiny", "sk-0123456789abc"} <= set(found)
    assert not {"de-latin1-nodeadkeys", "yes"} & set(found)
    assert list(found) == sorted(found, key=lambda value: (-len(value), value))


def test_which_key_is_sent(monkeypatch):
    monkeypatch.setenv("MY_OWN", "tiny")
    settings = {"model": "openai/one", "api_base": "http://127.0.0.1:1/v1"}
    assert key_of(ModelSettings(**settings, api_key_env="MY_OWN")) == "tiny"
    assert key_of(ModelSettings(**settings, api_key_env="NOT_SET")) == ""
    assert key_of(ModelSettings(**settings)) == "unneeded"
    assert key_of(ModelSettings(model="openai/gpt-5")) is None
    assert key_of(ModelSettings(model="azure/mine", api_base="https://mine.example")) is None


def test_scrubbing():
    assert scrub("key tiny, Bearer abc.def and sk-proj-12345678*** end", ["tiny"]) == (
        "key [secret], Bearer [secret] and [secret] end"
    )


def test_work_that_dies_is_a_bug_not_an_outage(monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with pytest.raises(RuntimeError, match="without an answer"):
        within(5.0, lambda: {}["no"], stop=threading.Event(), grace=1.0)


def test_waits():
    stop = threading.Event()
    assert within(5.0, lambda: 3, stop=stop, grace=1.0) == 3
    assert within(0.05, lambda: time.sleep(1), stop=stop, grace=1.0) is None
    rest(0.01, stop)
    stop.set()
    with pytest.raises(Outage):
        rest(60.0, stop)


@pytest.mark.slow
def test_nothing_is_imported_early_and_nothing_reaches_out():
    """Importing the pool does not import LiteLLM; importing LiteLLM opens no connection."""
    code = """
        import socket, sys
        def refuse(*arguments): raise AssertionError("a connection was tried")
        socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
        from skygit.llm.pool import ModelPool
        from skygit.llm.settings import ModelSettings
        pool = ModelPool([ModelSettings(model="openai/gpt-4o")])
        assert not {"litellm", "openai", "httpx"} & sys.modules.keys(), "imported early"
        assert pool.windows() == {"openai/gpt-4o": 128000}
        assert "litellm" in sys.modules
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "" and done.stderr == ""
