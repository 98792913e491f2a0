// Websocket frames and upgrade requests as bytes, correct or not.

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  readonly fin?: boolean;
  readonly masked?: boolean;
  /** The three reserved bits as a number. */
  readonly reserved?: number;
  /** The length that the header claims, when it is not that of the payload. */
  readonly announced?: number;
}

export function frameBytes(opcode: number, payload: string | Uint8Array, options: FrameOptions = {}): Buffer {
  const body = Buffer.from(payload);
  const length = options.announced ?? body.length;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = ((options.fin ?? true) ? 0x80 : 0) | ((options.reserved ?? 0) << 4) | opcode;
  const maskBit = (options.masked ?? true) ? 0x80 : 0;
  if (length < 126) head[1] = maskBit | length;
  else if (length < 65_536) {
    head[1] = maskBit | 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = maskBit | 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat(maskBit ? [head, Buffer.alloc(4), body] : [head, body]);
}

export interface RequestLine {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly headers?: readonly string[];
}

export function httpRequest(url: string, request: RequestLine): string {
  const { method = 'GET', path = '/', host = new URL(url).host, headers = [] } = request;
  return [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n');
}

export const UPGRADE_HEADERS = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

export function upgradeRequest(url: string, request: RequestLine = {}): string {
  return httpRequest(url, { ...request, headers: [...UPGRADE_HEADERS, ...(request.headers ?? [])] });
}
