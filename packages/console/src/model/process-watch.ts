// Follows the log of one process, across cuts: each time the connection is there it goes on behind what is known. Output
// is acknowledged when its readers have taken it, so a slow terminal slows this watch and nothing else.

import type {
  ObserveExitedNotification,
  ObserveGapNotification,
  ObserveResizedNotification,
} from '@codex/exec-protocol';
import { effect, signal } from '@preact/signals';
import { LineReader } from '../log/lines.js';
import { type LogEntry, LogStore } from '../log/log-store.js';
import type { Api, Target, WatchedOutput } from '../wire/api.js';
import { CallError } from '../wire/rpc-socket.js';
import type { Link } from './link.js';
import { nextFrame } from './next-frame.js';

export type WatchState = 'opening' | 'live' | 'ended' | 'unknown';

/** Resolves when the entries before `index` are taken. */
export type Reader = (index: number) => Promise<void>;

const WINDOW_BYTES = 512 * 1024;

export class ProcessWatch {
  readonly log = new LogStore();
  /** Read by who shows them, and kept for who comes back. */
  readonly lines = new LineReader(this.log);
  readonly state = signal<WatchState>('opening');
  /** Why there is nothing to see. */
  readonly trouble = signal('');
  readonly size = signal<{ readonly cols: number; readonly rows: number } | undefined>(undefined);
  readonly #link: Link;
  readonly #target: Target;
  readonly #readers = new Set<Reader>();
  readonly #stop: () => void;
  #name: string | undefined;
  #pending: LogEntry[] = [];
  #isFlushing = false;

  constructor(link: Link, target: Target) {
    this.#link = link;
    this.#target = target;
    this.#stop = effect(() => {
      const api = link.api.value;
      if (api !== undefined) void this.#open(api);
    });
  }

  addReader(reader: Reader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  close(): void {
    this.#stop();
    const name = this.#forget();
    if (name !== undefined)
      void this.#link.api
        .peek()
        ?.close(name)
        .catch(() => undefined);
  }

  #forget(): string | undefined {
    const name = this.#name;
    this.#name = undefined;
    if (name !== undefined) this.#link.removeWatch(name);
    return name;
  }

  async #open(api: Api): Promise<void> {
    if (this.state.peek() === 'ended') return;
    this.#forget();
    this.#pending = [];
    const fromSeq = this.log.nextSeq;
    const name = this.#link.addWatch((method, params) => this.#receive(name, api, { method, params }));
    this.#name = name;
    const where = { ...this.#target, watch: name, fromSeq };
    try {
      const opened = await api.open({ ...where, mode: 'complete', windowBytes: WINDOW_BYTES });
      const { size, omitted } = opened;
      if (size) {
        this.size.value ??= { cols: size.cols, rows: size.rows };
        this.#take(name, api, { kind: 'resize', ...size });
      }
      if (omitted) this.#take(name, api, gapEntry({ ...omitted, why: 'evicted' }));
      this.state.value = 'live';
    } catch (error) {
      if (this.#name !== name || !(error instanceof CallError) || api !== this.#link.api.peek()) return;
      // What is here already stays, though the server has forgotten the process while the connection was away.
      this.state.value = this.log.endIndex > 0 ? 'ended' : 'unknown';
      this.trouble.value = error.message;
    }
  }

  #receive(name: string, api: Api, message: { readonly method: string; readonly params: unknown }): void {
    if (name !== this.#name) return;
    if (message.method === 'observe/ended') {
      this.state.value = 'ended';
      return;
    }
    const entry = entryOf(message.method, message.params);
    if (entry !== undefined) this.#take(name, api, entry);
  }

  #take(name: string, api: Api, entry: LogEntry): void {
    this.#pending.push(entry);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // What comes in one burst of messages is one change.
    setTimeout(() => void this.#flush(name, api), 0);
  }

  async #flush(name: string, api: Api): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        this.log.append(this.#pending.splice(0));
        const end = this.log.endIndex;
        const seq = this.log.nextSeq - 1;
        // With nobody who reads, a frame is what it is worth: a flood does not keep the page busy for nothing.
        const readers = this.#readers.size === 0 ? [nextFrame] : [...this.#readers];
        await Promise.all(readers.map((reader) => reader(end)));
        if (name === this.#name) api.ack(name, seq);
      }
    } finally {
      this.#isFlushing = false;
    }
  }
}

function gapEntry(gap: Omit<ObserveGapNotification, 'watch'>): LogEntry {
  return { kind: 'gap', seq: gap.fromSeq, toSeq: gap.toSeq, bytes: gap.bytes, why: gap.why };
}

function entryOf(method: string, params: unknown): LogEntry | undefined {
  switch (method) {
    case 'observe/output': {
      const { seq, atMs, stream, chunk } = params as WatchedOutput;
      return { kind: 'output', seq, atMs, stream, bytes: chunk };
    }
    case 'observe/gap':
      return gapEntry(params as ObserveGapNotification);
    case 'observe/resized': {
      const { seq, atMs, rows, cols } = params as ObserveResizedNotification;
      return { kind: 'resize', seq, atMs, rows, cols };
    }
    case 'observe/exited': {
      const { seq, atMs, exitCode, sandboxDenied } = params as ObserveExitedNotification;
      return { kind: 'exited', seq, atMs, exitCode, denied: sandboxDenied };
    }
    case 'observe/closed': {
      const { seq, atMs } = params as { readonly seq: number; readonly atMs: number };
      return { kind: 'closed', seq, atMs };
    }
    default:
      return undefined;
  }
}
