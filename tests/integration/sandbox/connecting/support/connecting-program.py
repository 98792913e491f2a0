# Connects to a listener in the way that the first argument names and prints the answer. With `parked` nothing is left to
# read it: whatever the connection carries has been sent before.
import array, ctypes, os, socket, subprocess, sys, threading, time

mode, port, rest = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
libc = ctypes.CDLL(None, use_errno=True)
CLONE_FILES, PR_SET_DUMPABLE = 0x400, 4
REQUEST = (
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
).encode()


def connect():
    return socket.create_connection(("127.0.0.1", port))


def ask(connection):
    connection.sendall(REQUEST)
    answer(connection)


def answer(connection):
    connection.settimeout(20)
    print(connection.recv(4096).decode(), flush=True)


def put_in_flight(connection, carrier):
    carrier.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection.fileno()]))])
    connection.sendall(REQUEST)
    connection.close()


def hide():
    assert libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0


if mode == "plain":
    ask(connect())
elif mode == "hidden":
    hide()
    ask(connect())
elif mode == "own-table":
    # The descriptor is in the table of one thread and not in that of the process.
    def run():
        assert libc.unshare(CLONE_FILES) == 0, ctypes.get_errno()
        ask(connect())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
elif mode == "in-flight":
    # While the server looks the connection is in nobody's table: it waits in a unix socket.
    near, far = socket.socketpair()
    put_in_flight(connect(), near)
    time.sleep(1)
    _, [(_, _, packed)], _, _ = far.recvmsg(1, socket.CMSG_SPACE(4))
    answer(socket.socket(fileno=int.from_bytes(packed, sys.byteorder)))
elif mode == "parked":
    # It waits in the queue of somebody outside who does not look, and this program ends.
    carrier = socket.socket(socket.AF_UNIX)
    carrier.connect(rest[0])
    put_in_flight(connect(), carrier)
elif mode == "handed-on":
    # From process to process, each of which lives for a moment; this one only waits for the last of them.
    connection = connect()
    outcome, report = os.pipe()
    if os.fork():
        connection.close()
        os.close(report)
        while os.read(outcome, 1):
            pass
        sys.exit()
    connection.sendall(REQUEST)
    end = time.time() + 1
    while time.time() < end:
        if os.fork():
            os._exit(0)
        time.sleep(0.0005)
    answer(connection)
elif mode == "hidden-with-witness":
    hide()
    connection = connect()
    witness = subprocess.Popen(["sleep", "20"], pass_fds=[connection.fileno()], stdout=subprocess.DEVNULL)
    # For a moment after it was executed it still hides, as its parent does.
    while not os.access(f"/proc/{witness.pid}/fd/0", os.F_OK):
        time.sleep(0.001)
    ask(connection)
    witness.kill()
    witness.wait()
elif mode == "wait":
    # Somebody who hides and does nothing.
    hide()
    if rest:
        open(rest[0], "w").close()
    print("ready", flush=True)
    time.sleep(120)
