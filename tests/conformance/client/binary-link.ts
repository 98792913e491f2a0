// A link that asks for binary payloads and speaks in that form where the server has it, so that whoever uses it hears and
// says what he would over text.
import { binaryRequest, splitBinary, textOfBinary } from './binary-form.js';
import type { Link, LinkReceiver } from './link.js';
import { isObject, type JsonObject } from './message.js';

export interface BinaryLink extends Link {
  /** The binary messages of the server, as they came. */
  readonly heard: Uint8Array[];
  /** How many binary messages were sent. */
  readonly said: number;
}

export function binaryLink(link: Link): BinaryLink {
  return new TranslatingLink(link);
}

class TranslatingLink implements BinaryLink {
  readonly heard: Uint8Array[] = [];
  said = 0;
  readonly #link: Link;
  readonly #methods = new Map<string, string>();
  #isBinary = false;

  constructor(link: Link) {
    this.#link = link;
  }

  start(receiver: LinkReceiver): void {
    this.#link.start({
      text: (frame) => {
        this.#listen(frame);
        receiver.text(frame);
      },
      binary: (bytes) => {
        this.heard.push(bytes);
        receiver.text(this.#translate(bytes));
      },
      ended: (end) => receiver.ended(end),
    });
  }

  send(frame: string | Uint8Array): void {
    const message = typeof frame === 'string' ? parsed(frame) : undefined;
    if (message === undefined) {
      this.#link.send(frame);
      return;
    }
    const { id, method, params } = message;
    if (id !== undefined) this.#methods.set(JSON.stringify(id), String(method));
    const binary = this.#isBinary ? binaryRequest(message) : undefined;
    if (binary !== undefined) {
      this.said += 1;
      this.#link.send(binary);
    } else if (method === 'initialize' && isObject(params)) {
      this.#link.send(JSON.stringify({ ...message, params: { ...params, binaryPayloads: true } }));
    } else this.#link.send(frame);
  }

  close(): void {
    this.#link.close();
  }

  drop(): void {
    this.#link.drop();
  }

  #listen(frame: string): void {
    const message = frame.includes('"binaryPayloads":true') ? parsed(frame) : undefined;
    if (this.#methods.get(JSON.stringify(message?.['id'])) === 'initialize') this.#isBinary = true;
  }

  /** What cannot be read is passed on as it is, and counts as a fault there. */
  #translate(bytes: Uint8Array): string {
    try {
      return textOfBinary(bytes, (id) => this.#methods.get(JSON.stringify(id)));
    } catch (error) {
      return `binary message: ${String(error)}: ${JSON.stringify(safely(bytes))}`;
    }
  }
}

function safely(bytes: Uint8Array): unknown {
  try {
    return splitBinary(bytes).message;
  } catch {
    return bytes.length;
  }
}

function parsed(frame: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(frame);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
