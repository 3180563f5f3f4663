"""A model server whose answers are a function: OpenAI's chat completions on a free port of loopback, streamed or whole."""

import asyncio
import contextlib
import dataclasses
import json
import threading
import time

PIECE = 20


@dataclasses.dataclass
class Turn:
    """What the model does with a request: after `after` seconds it says `text`, or fails with `status`; or it hangs."""

    text: str = ""
    after: float = 0.0
    status: int = 200
    hangs: bool = False
    tokens: tuple[int, int] = (100, 20)


def sql(statement, **more):
    """A turn with the answer of the one call."""
    said = {"reasoning": "as the script says", "sql": statement, "assumptions": [], "alternatives": []}
    return Turn(json.dumps(said), **more)


class ScriptedModel:
    """Runs on a thread of its own from `start` to `stop`. `answer` makes a turn of a request's JSON."""

    def __init__(self, answer):
        self.answer = answer
        self.requests, self.headers = [], []
        self.left = 0  # answers that the client did not wait for
        self.at_once = self.most_at_once = 0
        self.spent = []  # seconds from the head of a request to the last byte of its answer

    def start(self):
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=[ready], daemon=True)
        self.thread.start()
        ready.wait()
        return self

    def run(self, ready):
        async def listen():
            self.stopped = asyncio.Event()
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=1000)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await self.stopped.wait()
            server.close()

        with contextlib.suppress(RuntimeError):
            self.loop.run_until_complete(listen())

    def stop(self):
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(10)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    def configuration(self, name="scripted", **more):
        """Lines of Querent's configuration; other keys are written as they come."""
        keys = {"name": json.dumps(name), "base_url": json.dumps(self.url), "retries": 0} | more
        return "\n[[model]]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())

    async def serve(self, reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                begun = time.monotonic()
                fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:] if ": " in line)
                body = json.loads(await reader.readexactly(int(fields.get("content-length", 0))) or "null")
                self.requests.append(body)
                self.headers.append(fields)
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
                try:
                    done = await self.act(self.answer(body), body, reader, writer)
                finally:
                    self.at_once -= 1
                if not done:
                    self.left += 1
                    break
                self.spent.append(time.monotonic() - begun)
        writer.close()

    async def act(self, turn, body, reader, writer):
        """Answers; false if the client left before."""
        pause = asyncio.ensure_future(asyncio.sleep(86_400 if turn.hangs else turn.after))
        gone = asyncio.ensure_future(reader.read(1))
        await asyncio.wait([pause, gone], return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            pause.cancel()
            return False
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await gone
        if turn.status != 200:
            self.respond(writer, turn.status, "application/json", json.dumps({"error": {"message": "as the script says"}}))
        elif body and body.get("stream"):
            self.respond(writer, 200, "text/event-stream", "".join(events(turn)))
        else:
            choice = {"index": 0, "message": {"role": "assistant", "content": turn.text}, "finish_reason": "stop"}
            self.respond(writer, 200, "application/json", json.dumps({"choices": [choice], "usage": usage(turn)}))
        await writer.drain()
        return True

    @staticmethod
    def respond(writer, status, kind, text):
        body = text.encode()
        head = f"HTTP/1.1 {status} scripted\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)


def usage(turn):
    read, written = turn.tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def events(turn):
    for at in range(0, len(turn.text), PIECE):
        yield event({"choices": [{"index": 0, "delta": {"content": turn.text[at : at + PIECE]}, "finish_reason": None}]})
    yield event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    yield event({"choices": [], "usage": usage(turn)})
    yield "data: [DONE]\n\n"


def event(data):
    return f"data: {json.dumps(data)}\n\n"
