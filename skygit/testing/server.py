"""A scripted model behind an OpenAI-compatible address on loopback. Standard library only.

    with ScriptedServer(["first reply", Scripted(status=429, retry_after="1"), "second"]) as server:
        ModelSettings(model="openai/scripted", api_base=server.address)

Replies are given in order, the last one again when they run out; or a function makes each
from the request, so that an answer can depend on the prompt alone (and a replay repeats).
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came in. `key` is the bearer token, `at` monotonic seconds."""

    number: int
    model: str
    messages: tuple[tuple[str, str], ...]
    parameters: dict[str, Any]
    key: str
    at: float

    @property
    def prompt(self) -> str:
        """All messages as one text."""
        return "\n\n".join(text for _, text in self.messages)

    @property
    def digest(self) -> str:
        """Equal for equal messages: the key of a recorded reply."""
        return hashlib.sha256(json.dumps(self.messages).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripted:
    """One answer. A `status` of 400 or more is an error with `message`; delays are in seconds.

    `cut` closes the connection instead, `finish` is the finish reason ("length": truncated),
    `usage` False leaves the token counts out, `raw` replaces the body, `trickle` sends the body byte by
    byte with that pause between bytes.
    """

    text: str | None = ""
    status: int = 200
    message: str = ""
    parameter: str = ""
    code: str = ""
    retry_after: str = ""
    delay: float = 0.0
    finish: str = "stop"
    cut: bool = False
    usage: bool = True
    raw: bytes | None = None
    trickle: float = 0.0


Answers = Sequence[str | Scripted] | Callable[[Asked], str | Scripted]

WRONG_KEY = Scripted(status=401, message="Incorrect API key provided", code="invalid_api_key")
UNKNOWN_MODEL = Scripted(status=404, message="The model does not exist", code="model_not_found")
NO_MONEY = Scripted(status=429, message="You exceeded your current quota", code="insufficient_quota")
TOO_LONG = Scripted(
    status=400,
    message="This model's maximum context length is 4096 tokens",
    parameter="messages",
    code="context_length_exceeded",
)


def refuses(parameter: str) -> Scripted:
    """The answer of a model that does not take a parameter."""
    message = f"Unsupported parameter: '{parameter}' is not supported with this model."
    return Scripted(status=400, message=message, parameter=parameter, code="unsupported_parameter")


@dataclass(slots=True)
class ScriptedServer:
    """A context manager; `address` is what `api_base` wants, `asked` every request so far."""

    answers: Answers
    asked: list[Asked] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closing: threading.Event = field(default_factory=threading.Event)
    _http: ThreadingHTTPServer | None = None

    def __enter__(self) -> "ScriptedServer":
        self._http = _Listener(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closing.set()
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()

    @property
    def address(self) -> str:
        """The base address, `/v1` included."""
        assert self._http is not None, "enter the server first"
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def answer(self, body: dict[str, Any], key: str) -> tuple[Asked, Scripted]:
        """Record a request and choose its answer."""
        with self._lock:
            asked = _asked(len(self.asked), body, key)
            self.asked.append(asked)
        chosen = self.answers(asked) if callable(self.answers) else _nth(self.answers, asked.number)
        return asked, Scripted(text=chosen) if isinstance(chosen, str) else chosen

    def pause(self, seconds: float) -> None:
        """Wait; ends early when the server closes."""
        self._closing.wait(seconds)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no news."""


def _nth(answers: Sequence[str | Scripted], number: int) -> str | Scripted:
    return answers[min(number, len(answers) - 1)]


def _asked(number: int, body: dict[str, Any], key: str) -> Asked:
    messages = tuple((str(message["role"]), str(message["content"])) for message in body.get("messages", ()))
    parameters = {name: value for name, value in body.items() if name not in {"messages", "model"}}
    model = str(body.get("model", ""))
    return Asked(number=number, model=model, messages=messages, parameters=parameters, key=key, at=time.monotonic())


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else the second packet of an answer waits 40 ms

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read their own records."""

        def do_POST(self) -> None:
            length = min(int(self.headers.get("Content-Length") or 0), _LIMIT)
            body = json.loads(self.rfile.read(length) or b"{}")
            key = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            asked, answer = server.answer(body, key)
            server.pause(answer.delay)
            if answer.cut:
                self.close_connection = True
                return
            self._send(answer, _body(asked, answer))

        def _send(self, answer: Scripted, data: bytes) -> None:
            self.send_response(answer.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if answer.retry_after:
                self.send_header("Retry-After", answer.retry_after)
            self.end_headers()
            step = 1 if answer.trickle else len(data) or 1
            for start in range(0, len(data), step):
                self.wfile.write(data[start : start + step])
                self.wfile.flush()
                server.pause(answer.trickle)

    return Handler


def _body(asked: Asked, answer: Scripted) -> bytes:
    if answer.raw is not None:
        return answer.raw
    return json.dumps(_completion(asked, answer) if answer.status < 400 else _error(answer)).encode()


def _error(answer: Scripted) -> dict[str, Any]:
    message = answer.message or f"status {answer.status}"
    return {"error": {"message": message, "type": "scripted", "param": answer.parameter or None, "code": answer.code}}


def _completion(asked: Asked, answer: Scripted) -> dict[str, Any]:
    prompt, completion = len(asked.prompt) // 4, len(answer.text or "") // 4
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    message = {"role": "assistant", "content": answer.text}
    return {
        "id": f"scripted-{asked.number}",
        "object": "chat.completion",
        "created": 0,
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        **({"usage": usage} if answer.usage else {}),
    }
