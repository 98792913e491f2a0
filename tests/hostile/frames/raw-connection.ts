// A websocket client made of bytes, so that it can say what a library would not.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { TOKEN } from '../support/server-under-attack.js';

export const OPCODE = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9 } as const;

export interface FrameOptions {
  readonly final?: boolean;
  readonly reserved?: number;
  readonly masked?: boolean;
  /** What the header says, when it is to lie. */
  readonly announced?: bigint;
}

export function frame(opcode: number, payload: Buffer, options: FrameOptions = {}): Buffer {
  const { final = true, reserved = 0, masked = true, announced = BigInt(payload.length) } = options;
  const first = (final ? 0x80 : 0) | (reserved << 4) | opcode;
  const header =
    announced < 126n
      ? Buffer.from([first, Number(announced) | (masked ? 0x80 : 0)])
      : longHeader(first, announced, masked);
  if (!masked) return Buffer.concat([header, payload]);
  const mask = randomBytes(4);
  const hidden = Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
  return Buffer.concat([header, mask, hidden]);
}

function longHeader(first: number, announced: bigint, masked: boolean): Buffer {
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = 127 | (masked ? 0x80 : 0);
  header.writeBigUInt64BE(BigInt.asUintN(64, announced), 2);
  return header;
}

export class RawConnection {
  readonly socket: Socket;
  received = Buffer.alloc(0);
  isClosed = false;

  static async open(port: number): Promise<RawConnection> {
    const connection = new RawConnection(port);
    connection.socket.write(
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n` +
        `Authorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    await connection.until(() => connection.received.includes('\r\n\r\n'));
    if (!connection.received.toString('latin1').startsWith('HTTP/1.1 101')) {
      throw new Error(`not upgraded: ${connection.received.toString('latin1').slice(0, 200)}`);
    }
    connection.received = connection.received.subarray(connection.received.indexOf('\r\n\r\n') + 4);
    return connection;
  }

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (block) => {
      this.received = Buffer.concat([this.received, block]);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  send(...frames: readonly Buffer[]): void {
    for (const each of frames) if (!this.isClosed) this.socket.write(each);
  }

  async until(condition: () => boolean, timeoutMs = 10_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!condition() && !this.isClosed) {
      if (Date.now() > deadline) throw new Error('the awaited bytes did not come');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  end(): void {
    this.socket.destroy();
  }
}
