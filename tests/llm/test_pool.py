"""The pool against a real server over HTTP, through the real LiteLLM."""

import threading
import time
from collections import Counter
from random import Random

import pytest

from skygit.domain.brief import Call, Message
from skygit.errors import Denied, Outage
from skygit.llm.pool import ModelPool
from skygit.llm.settings import ModelSettings
from skygit.testing.server import (
    NO_MONEY,
    TOO_LONG,
    UNKNOWN_MODEL,
    WRONG_KEY,
    Asked,
    Scripted,
    ScriptedServer,
    refuses,
)

CALL = Call(messages=(Message(role="system", text="be brief"), Message(role="user", text="hello")))
DOWN = Scripted(status=500, message="boom")


def model(server, name="openai/one", **settings):
    return ModelSettings(model=name, api_base=server.address, **settings)


def pool(*models, **options):
    return ModelPool(models, **({"backoff": 0.01} | options))


def by_model(**answers):
    """Answers by the model's name, each a list served in order."""
    left = {name: list(queue) for name, queue in answers.items()}

    def answer(asked: Asked):
        queue = left[asked.model]
        return queue.pop(0) if len(queue) > 1 else queue[0]

    return answer


def test_a_reply_with_its_tokens():
    with ScriptedServer(["fine"]) as server:
        reply = pool(model(server)).complete(CALL, Random(0))
    assert (reply.text, reply.model, reply.truncated, reply.note) == ("fine", "openai/one", False, "")
    assert reply.prompt_tokens == len("be brief\n\nhello") // 4 and reply.completion_tokens == 1
    assert server.asked[0].messages == (("system", "be brief"), ("user", "hello"))
    assert not {"temperature", "max_tokens"} & server.asked[0].parameters.keys(), "sent only when given"


def test_parameters_are_passed_on():
    with ScriptedServer(["fine"]) as server:
        chosen = model(server, temperature=0.5, max_tokens=99, params={"top_p": 0.9, "reasoning_effort": "low"})
        pool(chosen).complete(CALL, Random(0))
    wanted = {"temperature": 0.5, "max_tokens": 99, "top_p": 0.9, "reasoning_effort": "low"}
    assert wanted.items() <= server.asked[0].parameters.items()


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ({"price_input": 2.0, "price_output": 8.0}, (5 * 2.0 + 25 * 8.0) / 1e6),
        ({"price_output": 8.0}, 2e-4),
        ({}, None),
    ],
)
def test_cost_by_the_settings_else_unpriced(prices, cost):
    call = Call(messages=(Message(role="user", text="x" * 20),))
    with ScriptedServer(["y" * 100]) as server:
        reply = pool(model(server, **prices)).complete(call, Random(0))
    assert reply.cost == (pytest.approx(cost) if cost is not None else None)


def test_cost_by_the_table_of_litellm():
    with ScriptedServer(["y" * 400]) as server:
        reply = pool(model(server, name="openai/gpt-4o")).complete(CALL, Random(0))
    assert reply.cost == pytest.approx(3 * 2.5e-6 + 100 * 10e-6)


def test_models_are_drawn_by_weight():
    with ScriptedServer(["fine"]) as server:
        two = pool(model(server, "openai/one", weight=3.0), model(server, "openai/two", weight=1.0))
        drawn = Counter(two.complete(CALL, Random(seed)).model for seed in range(80))
    assert 48 <= drawn["openai/one"] <= 70 and drawn.total() == 80
    assert len(server.asked) == 80, "one request per call"


def test_the_same_chance_draws_the_same_model_and_leaves_the_generator_alike():
    with ScriptedServer(by_model(one=[DOWN], two=["fine"])) as server:
        models = model(server, "openai/one"), model(server, "openai/two")
        first, second = Random(7), Random(7)
        pool(*models).complete(CALL, first)
        ModelPool(models[1:]).complete(CALL, second)
    assert first.random() == second.random()


def test_a_named_model_is_asked_whatever_its_weight():
    with ScriptedServer(["fine"]) as server:
        two = pool(model(server, "openai/one", weight=1e9), model(server, "openai/two", weight=0.0))
        call = Call(messages=CALL.messages, model="openai/two")
        assert {two.complete(call, Random(seed)).model for seed in range(5)} == {"openai/two"}


@pytest.mark.parametrize("trouble", [DOWN, Scripted(status=429), Scripted(cut=True), Scripted(raw=b"<html>")])
def test_failover_to_the_next_model(trouble):
    with ScriptedServer(by_model(one=[trouble], two=["fine"])) as server:
        two = pool(model(server, "openai/one"), model(server, "openai/two", weight=0.0))
        reply = two.complete(CALL, Random(0))
    assert reply.model == "openai/two" and "openai/one" in reply.note
    assert [asked.model for asked in server.asked] == ["one", "two"]


def test_a_passing_failure_is_retried():
    with ScriptedServer([DOWN, Scripted(cut=True), "fine"]) as server:
        assert pool(model(server)).complete(CALL, Random(0)).text == "fine"
    assert len(server.asked) == 3


def test_all_models_down_is_an_outage_in_one_line_after_few_requests():
    with ScriptedServer([DOWN]) as server, pytest.raises(Outage) as caught:
        pool(model(server), model(server, "openai/two"), tries=2).complete(CALL, Random(0))
    assert not isinstance(caught.value, Denied)
    assert "openai/one" in str(caught.value) and "openai/two" in str(caught.value) and "\n" not in str(caught.value)
    assert Counter(asked.model for asked in server.asked) == {"one": 2, "two": 2}


def test_retry_after_is_honoured():
    with ScriptedServer([Scripted(status=429, retry_after="1"), "fine"]) as server:
        assert pool(model(server)).complete(CALL, Random(0)).text == "fine"
    assert 0.95 <= server.asked[1].at - server.asked[0].at <= 1.6


def test_a_pause_longer_than_the_patience_is_an_outage_at_once():
    later = Scripted(status=429, retry_after="3600")
    with ScriptedServer([later]) as server, pytest.raises(Outage, match="again in 3600 s"):
        pool(model(server), patience=5.0).complete(CALL, Random(0))
    assert len(server.asked) == 1


def test_a_pause_holds_for_every_thread():
    with ScriptedServer([Scripted(status=429, retry_after="0.6"), "fine"]) as server:
        shared = pool(model(server))
        threads = [threading.Thread(target=shared.complete, args=(CALL, Random(n))) for n in range(4)]
        threads[0].start()
        time.sleep(0.3)
        for thread in threads[1:]:
            thread.start()
        for thread in threads:
            thread.join()
    early = [asked for asked in server.asked[1:] if asked.at - server.asked[0].at < 0.55]
    assert len(server.asked) == 5 and not early


@pytest.mark.parametrize("name", ["temperature", "max_tokens", "top_p"])
def test_a_refused_parameter_is_dropped_once_and_remembered(name):
    def answer(asked):
        return refuses(name) if name in asked.parameters else "fine"

    with ScriptedServer(answer) as server:
        one = pool(model(server, temperature=0.5, max_tokens=9, params={"top_p": 0.9}), tries=1)
        note = one.complete(CALL, Random(0)).note
        one.complete(CALL, Random(1))
    assert note == f"openai/one refuses {name}"
    assert [name in asked.parameters for asked in server.asked] == [True, False, False]
    assert len({"temperature", "max_tokens", "top_p"} & server.asked[2].parameters.keys()) == 2


def test_a_length_limit_under_its_new_name():
    message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."

    def answer(asked):
        return Scripted(status=400, message=message) if "max_tokens" in asked.parameters else "fine"

    with ScriptedServer(answer) as server:
        pool(model(server, max_tokens=9)).complete(CALL, Random(0))
    assert server.asked[1].parameters["max_completion_tokens"] == 9


def test_a_wrong_key_is_denied_and_names_the_variable_only(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret-value")
    echo = Scripted(status=401, message="Incorrect API key provided: sk-very-secret-value")
    with ScriptedServer([echo]) as server:
        one = pool(model(server, api_key_env="MY_KEY"))
        with pytest.raises(Denied, match="MY_KEY") as caught:
            one.complete(CALL, Random(0))
        with pytest.raises(Denied, match="MY_KEY"):
            one.complete(CALL, Random(0))
    assert "sk-very" not in str(caught.value) and "\n" not in str(caught.value)
    assert [asked.key for asked in server.asked] == ["sk-very-secret-value"], "asked once, never again"


def test_a_missing_key_is_denied_without_a_request():
    words = "the environment variable NO_SUCH_KEY is not set"
    with ScriptedServer(["fine"]) as server, pytest.raises(Denied, match=words):
        pool(model(server, api_key_env="NO_SUCH_KEY")).complete(CALL, Random(0))
    assert not server.asked


def test_the_key_of_openai_does_not_travel_to_another_host(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-real-openai")
    with ScriptedServer(["fine", WRONG_KEY]) as server:
        one = pool(model(server))
        one.complete(CALL, Random(0))
        with pytest.raises(Denied, match="api_key_env"):
            one.complete(CALL, Random(0))
    assert "sk-of" not in server.asked[0].key


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("openai/gpt-5", "OPENAI_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
    ],
)
def test_a_provider_without_a_key_is_denied_and_names_its_variable(name, variable):
    with pytest.raises(Denied, match=f"variable.*{variable}") as caught:
        pool(ModelSettings(model=name, timeout=5.0)).complete(CALL, Random(0))
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(("trouble", "words"), [(UNKNOWN_MODEL, "unknown model"), (NO_MONEY, "no money")])
def test_what_no_waiting_mends_is_denied(trouble, words):
    with ScriptedServer([trouble]) as server, pytest.raises(Denied, match=words):
        pool(model(server)).complete(CALL, Random(0))
    assert len(server.asked) == 1


def test_an_unknown_provider_is_denied():
    with pytest.raises(Denied, match="nosuch/name"):
        pool(ModelSettings(model="nosuch/name")).complete(CALL, Random(0))


def test_one_denied_model_does_not_stop_the_others():
    with ScriptedServer(by_model(one=[WRONG_KEY], two=["fine"])) as server:
        two = pool(model(server, "openai/one"), model(server, "openai/two", weight=0.0))
        assert [two.complete(CALL, Random(seed)).model for seed in range(3)] == ["openai/two"] * 3
    assert [asked.model for asked in server.asked] == ["one", "two", "two", "two"]


def test_a_denied_model_beside_one_that_is_down_is_an_outage():
    with ScriptedServer(by_model(one=[WRONG_KEY], two=[DOWN])) as server, pytest.raises(Outage) as caught:
        pool(model(server, "openai/one"), model(server, "openai/two")).complete(CALL, Random(0))
    assert not isinstance(caught.value, Denied)


def test_a_request_that_is_too_long_gives_an_empty_reply_not_a_stop():
    with ScriptedServer([TOO_LONG]) as server:
        reply = pool(model(server)).complete(CALL, Random(0))
    assert reply.text == "" and "maximum context length" in reply.note and reply.cost == 0.0
    assert len(server.asked) == 1


def test_an_address_that_refuses_everything_does_not_look_like_a_run():
    with ScriptedServer([TOO_LONG]) as server:
        one = pool(model(server))
        with pytest.raises(Denied, match="every request is refused"):
            for seed in range(9):
                one.complete(CALL, Random(seed))
    assert len(server.asked) == 4


def test_a_longer_window_takes_what_the_first_refuses():
    with ScriptedServer(by_model(one=[TOO_LONG], two=["fine"])) as server:
        two = pool(model(server, "openai/one"), model(server, "openai/two", weight=0.0))
        assert two.complete(CALL, Random(0)).model == "openai/two"


def test_timeouts_count_the_whole_call():
    trickling = Scripted(text="slow", trickle=0.1)
    with ScriptedServer([trickling]) as server:
        started = time.monotonic()
        with pytest.raises(Outage, match=r"no answer within 0\.3 s"):
            pool(model(server, timeout=0.3), tries=1).complete(CALL, Random(0))
    assert time.monotonic() - started < 4.0


def test_a_hanging_server_is_left_after_its_timeout():
    with ScriptedServer([Scripted(delay=30.0)]) as server:
        started = time.monotonic()
        with pytest.raises(Outage, match="openai/one"):
            pool(model(server, timeout=0.3), tries=2).complete(CALL, Random(0))
    assert time.monotonic() - started < 3.0 and len(server.asked) == 2


@pytest.mark.parametrize("answer", [Scripted(status=429, retry_after="60"), Scripted(delay=60.0)])
def test_a_stop_ends_every_wait(answer):
    stop = threading.Event()
    with ScriptedServer([answer]) as server:
        one = pool(model(server), stop=stop, grace=0.1)
        threading.Timer(0.3, stop.set).start()
        started = time.monotonic()
        with pytest.raises(Outage, match="stopped"):
            one.complete(CALL, Random(0))
    assert time.monotonic() - started < 1.5 and len(server.asked) == 1


def test_a_reply_under_way_is_kept_when_the_run_stops():
    stop = threading.Event()
    with ScriptedServer([Scripted(text="paid", delay=0.8)]) as server:
        threading.Timer(0.2, stop.set).start()
        assert pool(model(server), stop=stop, grace=5.0).complete(CALL, Random(0)).text == "paid"
        with pytest.raises(Outage, match="stopped"):
            pool(model(server), stop=stop).complete(CALL, Random(0))
    assert len(server.asked) == 1, "after a stop nothing new is asked"


def test_truncated_and_empty_replies():
    with ScriptedServer([Scripted(text="half", finish="length"), Scripted(text=None), Scripted(text="")]) as server:
        one = pool(model(server))
        replies = [one.complete(CALL, Random(0)) for _ in range(3)]
    assert [(reply.text, reply.truncated) for reply in replies] == [("half", True), ("", False), ("", False)]


def test_missing_token_counts_are_estimated_and_said_so():
    with ScriptedServer([Scripted(text="x" * 35, usage=False)]) as server:
        reply = pool(model(server)).complete(CALL, Random(0))
    assert reply.completion_tokens == 10 and reply.prompt_tokens > 0 and "estimates" in reply.note


def test_check_asks_exactly_one_model_once():
    with ScriptedServer(by_model(one=[DOWN], two=["ready"])) as server:
        two = pool(model(server, "openai/one"), model(server, "openai/two"))
        assert two.check("openai/two").text == "ready"
        with pytest.raises(Outage, match="openai/one"):
            two.check("openai/one")
        with pytest.raises(Denied, match="openai/three"):
            two.check("openai/three")
    assert [asked.model for asked in server.asked] == ["two", "one"]


def test_an_empty_pool():
    assert pool().names() == ()
    with pytest.raises(Denied, match=r"llm\.models"):
        pool().complete(CALL, Random(0))


def test_windows():
    models = ModelSettings(model="openai/gpt-4o"), ModelSettings(model="openai/mine", context_tokens=4096)
    unknown = ModelSettings(model="openai/who")
    windows = {"openai/gpt-4o": 128000, "openai/mine": 4096, "openai/who": None}
    assert pool(*models, unknown).windows() == windows


def test_many_threads_share_a_pool():
    def answer(asked):
        return Scripted(text=asked.prompt, delay=0.02) if asked.number % 3 else Scripted(status=500)

    with ScriptedServer(answer) as server:
        shared, texts = pool(model(server), model(server, "openai/two"), tries=20), {}

        def work(number):
            call = Call(messages=(Message(role="user", text=f"call {number}"),))
            texts[number] = shared.complete(call, Random(number)).text

        threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert texts == {number: f"call {number}" for number in range(16)}


def test_after_the_end_nothing_more_is_asked_but_what_is_in_flight_arrives():
    with ScriptedServer([Scripted(status=429, message="slow down", retry_after="30"), "bought"]) as server:
        models = pool(model(server))
        threading.Timer(0.5, models.cease).start()
        began = time.monotonic()
        with pytest.raises(Outage, match="stopped"):
            models.complete(CALL, Random(1))
        assert time.monotonic() - began < 15
        assert len(server.asked) == 1
    with ScriptedServer([Scripted(text="late", delay=0.6)]) as server:
        models = pool(model(server))
        threading.Timer(0.2, models.cease).start()
        assert models.complete(CALL, Random(1)).text == "late"
