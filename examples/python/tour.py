"""python3 tour.py ws://127.0.0.1:7777: a command, a dialogue, and output that survives a lost connection."""

import asyncio
import hashlib
import sys

from exec_client import ExecServer


async def main(url):
    async with ExecServer(url) as server:
        hello = await server.start(["sh", "-c", "echo hello; exit 3"])
        async for stream, data in hello.output():
            print(stream, data.decode().strip())
        print("exit code", hello.exit_code)

        cat = await server.start(["head", "-n", "2"], stdin=True)
        await cat.write(b"one\n")
        await cat.write(b"two\n")
        print("echoed", b"".join([data async for _, data in cat.output()]).decode().split())

        counting = await server.start(["seq", "1", "200000"])
        digest, seen, cut = hashlib.sha256(), 0, False
        async for _, data in counting.output():
            digest.update(data)
            seen += len(data)
            if not cut and seen > 100_000:
                cut = True
                server.lose_connection()  # as a network would, without a word
        expected = "".join(f"{n}\n" for n in range(1, 200_001)).encode()
        print("whole", digest.hexdigest() == hashlib.sha256(expected).hexdigest(), "missing", counting.omitted_bytes)
        print("reconnected", server.reconnects)


asyncio.run(main(sys.argv[1]))
