// A TCP connection with nothing between the check and the bytes: HTTP requests and websocket frames are written by hand.
import { connect, type Socket } from 'node:net';
import { patience } from './patience.js';

const HEAD_END = '\r\n\r\n';

export interface HttpHead {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface FrameHeader {
  readonly opcode: number;
  readonly fin: boolean;
  readonly payload: Buffer;
}

export class RawSocket {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (data) => {
      this.#bytes = Buffer.concat([this.#bytes, data]);
      this.#wake();
    });
    const ended = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('error', ended);
    socket.on('close', ended);
  }

  static open(url: string): Promise<RawSocket> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawSocket(socket));
      });
    });
  }

  write(bytes: string | Uint8Array): void {
    if (!this.#ended) this.socket.write(bytes);
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Waits for the head of an HTTP response and takes it off the stream. */
  async head(): Promise<HttpHead> {
    await this.#until(() => this.#bytes.includes(HEAD_END), 'an HTTP response');
    const end = this.#bytes.indexOf(HEAD_END);
    const [statusLine = '', ...lines] = this.#bytes.subarray(0, end).toString('latin1').split('\r\n');
    this.#bytes = this.#bytes.subarray(end + HEAD_END.length);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    return { status: Number(statusLine.split(' ')[1]), headers };
  }

  /** Waits for a whole websocket frame of the server and takes it off the stream. */
  async frame(): Promise<FrameHeader> {
    for (;;) {
      const parsed = parseFrame(this.#bytes);
      if (parsed) {
        this.#bytes = this.#bytes.subarray(parsed.size);
        return parsed.frame;
      }
      const had = this.#bytes.length;
      await this.#until(() => this.#bytes.length > had, 'a websocket frame');
    }
  }

  /** Waits for the end of the connection; resolves with what was not taken off the stream. */
  async end(): Promise<Buffer> {
    await this.#until(() => this.#ended, 'the end of the connection');
    return this.#bytes;
  }

  async #until(done: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + patience();
    while (!done()) {
      if (this.#ended) throw new Error(`the connection ended while waiting for ${what}`);
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`waited ${patience()} ms for ${what}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

function parseFrame(bytes: Buffer): { frame: FrameHeader; size: number } | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extra) return undefined;
  const length = extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  const size = 2 + extra + length;
  if (bytes.length < size) return undefined;
  const frame = { opcode: first & 0x0f, fin: (first & 0x80) !== 0, payload: bytes.subarray(2 + extra, size) };
  return { frame, size };
}
