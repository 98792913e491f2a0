// A websocket client that announces a long message and never finishes it.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class Unfinished {
  readonly #socket: Socket;
  isOver = false;

  static async begin(url: string, announced: number): Promise<Unfinished> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `GET /e/test HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await once(socket, 'data');
    const header = Buffer.alloc(14);
    header.writeUInt16BE(0x81ff, 0);
    header.writeBigUInt64BE(BigInt(announced), 2);
    socket.write(header);
    return new Unfinished(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.isOver = true;
      });
  }

  /** Resolves when the kernel has taken it, or the connection is over. */
  async say(bytes: number): Promise<void> {
    if (this.isOver || this.#socket.write(Buffer.alloc(bytes, ' '))) return;
    await Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined);
  }

  end(): void {
    this.#socket.destroy();
  }
}
