"""A client of exec-server in one file: commands, input, and output that survives a lost connection.

It uses Python's standard library and `websockets` (Debian: python3-websockets) and follows docs/protocol.md only.
"""

import asyncio
import base64
import itertools
import json
import time
import uuid
from importlib.metadata import version

import websockets

RECOVERY_SECONDS = 45
MESSAGE_LIMIT = 64 * 1024 * 1024
SESSION_STILL_ATTACHED = -32010


# Its name changed with version 14 of websockets.
HEADERS = "extra_headers" if int(version("websockets").split(".")[0]) < 14 else "additional_headers"


class ExecServerError(Exception):
    """The server answered with an error. `code` is the JSON-RPC code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Process:
    """One process: its output in order of `seq`, and how it ended."""

    def __init__(self, client, process_id):
        self.client, self.id = client, process_id
        self.exit_code, self.sandbox_denied, self.omitted_bytes = None, False, 0
        self.next_seq, self._early = 1, {}
        self._writes, self._output = itertools.count(1), asyncio.Queue()
        self._ended = False

    def take(self, seq, event):
        """Events may arrive twice after a reconnect, so each `seq` counts once and takes effect in its turn."""
        if seq < self.next_seq:
            return
        self._early[seq] = event
        while (event := self._early.pop(self.next_seq, None)) is not None:
            self.next_seq += 1
            self._apply(event)

    def _apply(self, event):
        if event["kind"] == "output":
            self._output.put_nowait((event["stream"], base64.b64decode(event["chunk"])))
        elif event["kind"] == "exited":
            self.exit_code, self.sandbox_denied = event["exitCode"], event["sandboxDenied"]
        else:
            self.end()

    def end(self):
        if not self._ended:
            self._ended = True
            self._output.put_nowait(None)

    async def output(self):
        """Yields (stream, bytes) until the process has closed its output."""
        while (item := await self._output.get()) is not None:
            yield item

    async def write(self, data):
        """Safe to repeat after a cut: the server takes each writeId once."""
        chunk = base64.b64encode(data).decode()
        write_id = str(next(self._writes))
        reply = await self.client.call("process/write", processId=self.id, chunk=chunk, writeId=write_id)
        if reply["status"] != "accepted":
            raise BrokenPipeError(f"process {self.id}: {reply['status']}")

    async def recover(self):
        """Asks for everything after the last event that arrived; what is still to come is pushed."""
        try:
            state = await self.client.request("process/read", {"processId": self.id, "afterSeq": self.next_seq - 1})
        except ExecServerError:
            return  # Its start did not reach the server; the call that starts it is repeated.
        if (gap := state.get("omitted")) is not None:
            self.omitted_bytes += gap["bytes"]
            self.next_seq = max(self.next_seq, gap["toSeq"] + 1)
        for chunk in state["chunks"]:
            self.take(chunk["seq"], {"kind": "output", **chunk})
        # Exit and close have a seq of their own but are no chunks. Once everything has been read, they are known.
        if state["closed"]:
            self.exit_code, self.sandbox_denied = state["exitCode"], state["sandboxDenied"]
            self.next_seq = max(self.next_seq, state["nextSeq"])
            self.end()


class ExecServer:
    """`async with ExecServer(url) as server:`. One session; it is resumed when the connection breaks."""

    def __init__(self, url, name="python-example", token=None):
        self.url, self.name, self.token = url, name, token
        self.session_id, self.processes = None, {}
        self._ids, self._waiting = itertools.count(1), {}
        self._ready = asyncio.Event()
        self._closing, self.reconnects = False, 0

    async def __aenter__(self):
        await self._open()
        self._reader = asyncio.create_task(self._read())
        await self._handshake()
        return self

    async def __aexit__(self, *_):
        self._closing = True
        await self._socket.close()
        await self._reader

    async def _open(self):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        self._socket = await websockets.connect(
            self.url, max_size=MESSAGE_LIMIT, ping_interval=5, ping_timeout=10, **{HEADERS: headers}
        )

    async def _handshake(self):
        hello = {"clientName": self.name, "resumeSessionId": self.session_id}
        self.session_id = (await self.request("initialize", hello))["sessionId"]
        await self._socket.send(json.dumps({"method": "initialized", "params": {}}))
        for process in list(self.processes.values()):
            await process.recover()
        self._ready.set()

    async def _resume(self):
        try:
            await self._handshake()
        except ExecServerError as error:
            # The server may take a moment to see that the old connection is gone. Any other refusal is final.
            self._closing = error.code != SESSION_STILL_ATTACHED
            await asyncio.sleep(0.1)
            await self._socket.close()
        except (ConnectionError, websockets.ConnectionClosed):
            pass  # The reader sees the same end of the connection and reopens it.

    async def _read(self):
        while True:
            try:
                async for text in self._socket:
                    self._receive(json.loads(text))
            except websockets.ConnectionClosed:
                pass
            self._ready.clear()
            for future in self._waiting.values():
                future.set_exception(ConnectionError("the connection was lost"))
            self._waiting.clear()
            if self._closing or not await self._reopen():
                return self._give_up()
            self._resuming = asyncio.create_task(self._resume())

    def lose_connection(self):
        """Breaks the connection as a network would: no close frame, no goodbye."""
        self._socket.transport.abort()

    def _give_up(self):
        self._closing = True
        self._ready.set()  # Whoever waits for a connection learns that there is none.
        for process in self.processes.values():
            process.end()

    async def _reopen(self):
        deadline = time.monotonic() + RECOVERY_SECONDS
        while time.monotonic() < deadline:
            try:
                await self._open()
                self.reconnects += 1
                return True
            except (OSError, websockets.InvalidHandshake):
                await asyncio.sleep(0.1)
        return False

    def _receive(self, message):
        if "method" in message:
            kind, params = message["method"].removeprefix("process/"), message["params"]
            process = self.processes.get(params.get("processId"))
            if process is not None and kind in ("output", "exited", "closed"):
                process.take(params["seq"], {"kind": kind, **params})
        elif (future := self._waiting.pop(message["id"], None)) is not None:
            if (error := message.get("error")) is not None:
                future.set_exception(ExecServerError(error["code"], error["message"]))
            else:
                future.set_result(message["result"])

    async def request(self, method, params):
        """One request on the connection as it is now."""
        future = asyncio.get_running_loop().create_future()
        request_id = next(self._ids)
        self._waiting[request_id] = future
        await self._socket.send(json.dumps({"id": request_id, "method": method, "params": params}))
        return await future

    async def call(self, method, **params):
        """A request that is repeated after a reconnect; use it for what may be repeated."""
        while True:
            await self._ready.wait()
            try:
                return await self.request(method, params)
            except (ConnectionError, websockets.ConnectionClosed):
                if self._closing:
                    raise
                await asyncio.sleep(0.05)

    async def start(self, argv, cwd="/", env=None, tty=False, stdin=False, **more):
        process = Process(self, str(uuid.uuid4()))
        self.processes[process.id] = process
        try:
            await self.call(
                "process/start", processId=process.id, argv=argv, cwd=f"file://{cwd}",
                env=env or {"PATH": "/usr/bin:/bin"}, tty=tty, pipeStdin=stdin, **more,
            )
        except ExecServerError as error:
            # The answer to an earlier attempt was lost, but the process was started: the id is ours alone.
            if "already exists" not in str(error):
                del self.processes[process.id]
                raise
        return process
