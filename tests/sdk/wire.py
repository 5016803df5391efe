"""A recorder between two programs that talk over TCP, which knows nothing of what they say; what they said is taken apart afterwards."""

import asyncio
import contextlib
import threading

import h11

# What belongs to one connection, or is told differently on purpose: who is addressed, and that answers are to be readable.
BETWEEN = {b"host", b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"accept-encoding", b"te"}


class Recorder:
    """Listens on a port of loopback and passes everything on to another, every byte kept."""

    def __init__(self, target):
        self.target = target
        self.connections = []

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.server = self.call(asyncio.start_server(self.accept, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def __exit__(self, *_):
        async def end():
            self.server.close()
            # Who came last may begin only now.
            while others := asyncio.all_tasks() - {asyncio.current_task()}:
                for task in others:
                    task.cancel()
                await asyncio.wait(others)

        self.call(end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def accept(self, reader, writer):
        said, heard = bytearray(), bytearray()
        self.connections.append((said, heard))
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        ways = self.carry(reader, back, said), self.carry(there, writer, heard)
        try:
            # Cancelled at the end of the test, where somebody keeps a connection open.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(*ways)
        finally:
            writer.close()
            back.close()

    @staticmethod
    async def carry(reader, writer, kept):
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                kept += data
                writer.write(data)
                await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            writer.write_eof()

    def exchanges(self):
        """Every request with its answer, over all connections, in an order that does not depend on time."""
        found = []
        for said, heard in self.connections:
            found += exchanges(bytes(said), bytes(heard))
        return sorted(found)


def messages(connection, data):
    """The messages that some bytes are: first line, headers, body, and whether it was whole."""
    connection.receive_data(data)
    connection.receive_data(b"")
    found = []
    while True:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError:
            return found
        if isinstance(event, (h11.Request, h11.Response)):
            first = (event.method, event.target) if isinstance(event, h11.Request) else (event.status_code,)
            headers = sorted((name, value) for name, value in event.headers if name not in BETWEEN)
            found.append([first, headers, b"", False])
        elif isinstance(event, h11.Data):
            found[-1][2] += bytes(event.data)
        elif isinstance(event, h11.EndOfMessage):
            found[-1][3] = True
            return found
        elif event in (h11.NEED_DATA, h11.PAUSED) or isinstance(event, h11.ConnectionClosed):
            return found


def exchanges(said, heard):
    """The requests and answers of one connection."""
    found = []
    while said:
        server = h11.Connection(h11.SERVER)
        request = messages(server, said)
        if not request:
            break
        said = server.trailing_data[0]
        # A client that knows what was asked, so that it knows how answers end.
        client = h11.Connection(h11.CLIENT)
        (method, target), headers = request[0][0], [(b"host", b"recorder")]
        client.send(h11.Request(method=method, target=target, headers=headers))
        client.send(h11.EndOfMessage())
        answer = messages(client, heard)
        heard = client.trailing_data[0]
        found.append((tuple(request[0][0]), request[0][1:3], answer[0] if answer else None))
    return found
