/** Python that speaks the wire: from inside of a sandbox without keeping to it, and as a server for a wrapper alone. */

const FRAMES = `
import array, json, os, socket, struct, subprocess, sys, time
def frame(value):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return struct.pack('<I', len(body)) + body
def receive(ours, count):
    try:
        return ours.recv(count, socket.MSG_WAITALL)
    except ConnectionResetError:
        return b''
def answer(ours):
    head = receive(ours, 4)
    return json.loads(ours.recv(struct.unpack('<I', head)[0], socket.MSG_WAITALL)) if len(head) == 4 else None
`;

/** A sandboxed process that knows the wire. */
export const wire = `${FRAMES}
shells = socket.socket(fileno=os.dup(200))
def announce(fds):
    shells.sendmsg([b'\\0'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else [])
def stream():
    ours, theirs = socket.socketpair()
    announce([theirs.fileno()])
    theirs.close()
    return ours
def request(file, **more):
    return frame({'file': file, 'argv': [file], 'workdir': '/', 'env': {}, **more})
`;

/** The command line that runs a script of that process, where the wire lies in `folder` as wire.py. */
export const pythonIn = (folder: string) => (body: string) =>
  `python3 - <<'EOF'\nimport sys; sys.path.insert(0, '${folder}')\nfrom wire import *\n${body}\nEOF\n`;

/**
 * argv: WRAPPER FILE ARGV ANSWERS [VARIABLES]. Starts the wrapper, gives these answers, and prints its exit code and output. With
 * variables, what it asked for comes first.
 */
export const fakeServer = `${FRAMES}
wrapper, file, argv, answers = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), json.loads(sys.argv[4])
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
words = [word.encode('utf-8', 'surrogateescape') for word in argv]
child = subprocess.Popen([wrapper, file, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         pass_fds=[theirs.fileno()],
                         env={'CODEX_ESCALATE_SOCKET': str(theirs.fileno()), **json.loads((sys.argv[5:] or ['{}'])[0])})
_, rights, _, _ = ours.recvmsg(1, 64)
stream = socket.socket(fileno=struct.unpack('i', rights[0][2])[0])
asked = answer(stream)
if sys.argv[5:]: print(asked['argv'], 'startup' in asked)
for value in [b'x' * 2000000] if answers == 'too long' else answers:
    try:
        stream.sendall(frame(value if isinstance(value, (bytes, dict)) else value.encode()))
    except OSError:
        break
stream.shutdown(socket.SHUT_WR)
while receive(stream, 65536): pass   # what came along is closed: nobody else holds the output of the wrapper
output = child.communicate()[0]
print(child.returncode, output.decode('utf-8', 'backslashreplace'), end='')
`;
