"""The protocol as bytes: what no driver would send, or not in such pieces."""

import contextlib
import socket
import struct
import threading

DEADLINE = 20
PROTOCOL_3_0 = 3 << 16
PROTOCOL_3_2 = (3 << 16) | 2
SSL_REQUEST, CANCEL_REQUEST, GSSENC_REQUEST = 80877103, 80877102, 80877104


def frame(tag, body=b""):
    return tag + struct.pack("!I", len(body) + 4) + body


def text(value):
    return (value if isinstance(value, bytes) else value.encode()) + b"\0"


def startup(version=PROTOCOL_3_0, **parameters):
    body = struct.pack("!I", version) + b"".join(text(k) + text(v) for k, v in parameters.items()) + b"\0"
    return struct.pack("!I", len(body) + 4) + body


def query(sql):
    return frame(b"Q", text(sql))


def parse(sql, name="", types=()):
    return frame(b"P", text(name) + text(sql) + struct.pack(f"!H{len(types)}I", len(types), *types))


def bind(portal="", statement="", values=(), *, binary=False):
    body = text(portal) + text(statement) + struct.pack("!HH", 0, len(values))
    for value in values:
        body += struct.pack("!i", -1) if value is None else struct.pack("!i", len(value)) + value
    return frame(b"B", body + struct.pack("!HH", 1, int(binary)))


def describe(kind, name=""):
    return frame(b"D", kind + text(name))


def execute(portal="", rows=0):
    return frame(b"E", text(portal) + struct.pack("!I", rows))


def close(kind, name=""):
    return frame(b"C", kind + text(name))


def run(sql, *values, binary=False):
    """One statement by the extended protocol, without its Sync."""
    return parse(sql) + bind(values=values, binary=binary) + describe(b"P") + execute()


SYNC, FLUSH, TERMINATE = frame(b"S"), frame(b"H"), frame(b"X")


class Raw:
    """A session on a bare socket."""

    def __init__(self, port, *, version=PROTOCOL_3_0, host="127.0.0.1", **parameters):
        self.socket = self.connect(host, port)
        self.received = b""
        self.parameters = {"user": "tester", "database": "shop"} | parameters
        self.send(startup(version, **self.parameters))
        self.hello = self.read_until_ready()
        errors = [body for tag, body in self.hello if tag == b"E"]
        if errors:
            raise ConnectionError(fields(errors[0]))
        key = next(body for tag, body in self.hello if tag == b"K")
        self.pid, self.key = struct.unpack("!I", key[:4])[0], key[4:]

    def connect(self, host, port):
        connected = socket.create_connection((host, port), timeout=DEADLINE)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connected

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def read(self):
        """The next message as its type and body; nothing at the end."""
        while len(self.received) < 5 or len(self.received) < self.length():
            some = self.socket.recv(1 << 16)
            if not some:
                return None
            self.received += some
        length = self.length()
        message, self.received = self.received[:length], self.received[length:]
        return message[:1], message[5:]

    def length(self):
        return struct.unpack("!I", self.received[1:5])[0] + 1

    def read_until_ready(self, times=1):
        """Messages up to and with ReadyForQuery, or to the end of the session."""
        messages = []
        while times:
            message = self.read()
            if message is None:
                break
            messages.append(message)
            times -= message[0] == b"Z"
        return messages

    def ask(self, data, times=1):
        self.send(data)
        return self.read_until_ready(times)

    def rows(self, sql):
        return [columns(body) for tag, body in self.ask(query(sql)) if tag == b"D"]

    def cancel(self):
        """Asks for what runs in this session to be cancelled, and waits until the request has been taken."""
        with self.connect(*self.socket.getpeername()) as asking:
            asking.sendall(struct.pack("!III", 12 + len(self.key), CANCEL_REQUEST, self.pid) + self.key)
            while asking.recv(100):
                pass


def columns(body):
    count, at, found = struct.unpack("!H", body[:2])[0], 2, []
    for _ in range(count):
        length = struct.unpack("!i", body[at : at + 4])[0]
        found.append(None if length < 0 else body[at + 4 : at + 4 + length])
        at += 4 + max(length, 0)
    return found


def fields(body):
    """The fields of an error or a notice, by their letters."""
    return {part[:1].decode(): part[1:].decode(errors="replace") for part in body.split(b"\0") if part}


def first_error(messages):
    return next((fields(body) for tag, body in messages if tag == b"E"), None)


def tags(messages):
    return b"".join(tag for tag, _ in messages).decode()


class Between:
    """A TCP forwarder that hands bytes on in small pieces, and can fall silent or break off."""

    def __init__(self, port, piece=1):
        self.target, self.piece = port, piece
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                one = self.listener.accept()[0]
                other = socket.create_connection(("127.0.0.1", self.target))
                self.open += [one, other]
                for pair in ((one, other), (other, one)):
                    pair[0].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=self.forward, args=pair, daemon=True).start()

    def forward(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                for at in range(0, len(data), self.piece):
                    target.sendall(data[at : at + self.piece])
            target.shutdown(socket.SHUT_WR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.break_off()

    def break_off(self):
        """Ends every connection without a farewell."""
        for one in self.open:
            with contextlib.suppress(OSError):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self.open = []
