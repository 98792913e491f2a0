// The journal as a file of JSON lines, for who ran what and when. It is appended to and never holds anything up: what
// cannot be written (a full disk) is told in the log of the server, counted, and noted in the file when it can be again.
import { type FileHandle, open } from 'node:fs/promises';
import { type JournalEvent, plainJson } from '@codex/exec-protocol';
import type { Journal } from '../../journal/journal.js';
import type { Logger } from '../../logger.js';

/** What waits for the disk; beyond it lines are lost, and counted. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 1000;
const LAST_WAIT_MS = 2000;
/** Who may read it is the owner: command lines say much. */
const FILE_MODE = 0o600;

interface Client {
  clientName: string;
  readonly identity: string;
}

export interface AuditLogOptions {
  readonly path: string;
  readonly logger: Logger;
}

export class AuditLog {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #logger: Logger;
  readonly #clients = new Map<string, Client>();
  #waiting: string[] = [];
  #waitingBytes = 0;
  #lost = 0;
  #isFailing = false;
  /** The last write may have ended in the middle of a line. */
  #isTorn = false;
  #writing: Promise<void> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** Rejects when the file cannot be opened: a server that is asked to keep a record does not start without one. */
  static async open(options: AuditLogOptions): Promise<AuditLog> {
    return new AuditLog(await open(options.path, 'a', FILE_MODE), options);
  }

  private constructor(file: FileHandle, { path, logger }: AuditLogOptions) {
    this.#file = file;
    this.#path = path;
    this.#logger = logger;
  }

  follow(journal: Journal): void {
    journal.listen((event) => this.#take(event));
  }

  /** Writes what waits, for a bounded time, and closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    const tooLong = new Promise<void>((resolve) => setTimeout(resolve, LAST_WAIT_MS).unref());
    await Promise.race([this.#writing ?? this.#flush(), tooLong]);
    await this.#file.close();
  }

  #take(event: JournalEvent): void {
    const line = `${plainJson(this.#lineOf(event))}\n`;
    if (this.#waitingBytes + line.length > MAX_WAITING_BYTES) {
      this.#lost++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (!this.#isFailing) this.#begin();
  }

  /** Every line stands alone: it names the client and its identity, whatever the event itself says. */
  #lineOf(event: JournalEvent): Record<string, unknown> {
    const { seq, atMs, kind, ...rest } = event;
    const time = new Date(atMs).toISOString();
    if (event.kind === 'sessionOpened') {
      this.#clients.set(event.session, { clientName: event.clientName, identity: event.identity });
    }
    const client = 'session' in event ? this.#clients.get(event.session) : undefined;
    if (event.kind === 'sessionResumed' && client !== undefined) client.clientName = event.clientName;
    const line = { time, seq, kind, ...client, ...rest };
    if (event.kind === 'sessionEnded') this.#forget(event.session);
    return line;
  }

  /** A little later: its processes are still dying, and their ends name the client too. */
  #forget(session: string): void {
    setTimeout(() => this.#clients.delete(session), 60_000).unref();
  }

  #begin(): void {
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0 && !this.#isFailing) this.#begin();
    });
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const lost = this.#lost;
    const notes = [
      ...(this.#isTorn ? ['\n'] : []),
      ...(lost > 0
        ? [`${JSON.stringify({ time: new Date().toISOString(), kind: 'linesLost', lost })}\n`]
        : []),
    ];
    const notLines = notes.length;
    const pieces = notes.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    const text = Buffer.from(pieces.join(''));
    let done = 0;
    try {
      while (done < text.length) done += (await this.#file.write(text, done)).bytesWritten;
      if (this.#isFailing) this.#logger.info('the audit log is written again', { path: this.#path, lost });
      this.#isFailing = false;
      this.#isTorn = false;
      this.#lost -= lost;
    } catch (error) {
      const whole = wholePieces(pieces, done);
      if (whole >= notLines) this.#lost -= lost;
      if (done > 0) this.#isTorn = text[done - 1] !== NEWLINE;
      const wholeBytes = pieces.slice(0, whole).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
      if (this.#isTorn && done > wholeBytes) await this.#cutOff(done - wholeBytes);
      this.#failed(error, pieces.slice(Math.max(whole, notLines)));
    }
  }

  /** Takes the beginning of a line out again, which is written whole later. Where that fails too, it stays a line of its own. */
  async #cutOff(bytes: number): Promise<void> {
    try {
      const { size } = await this.#file.stat();
      await this.#file.truncate(size - bytes);
      this.#isTorn = false;
    } catch {
      this.#isTorn = true;
    }
  }

  /** Lines that did not reach the file wait for the next attempt; nothing else in the server waits for that. */
  #failed(error: unknown, lines: readonly string[]): void {
    this.#waiting = [...lines, ...this.#waiting];
    this.#waitingBytes = this.#waiting.reduce((sum, line) => sum + line.length, 0);
    if (!this.#isFailing) {
      const why = error instanceof Error ? error.message : String(error);
      this.#logger.error('the audit log cannot be written', { path: this.#path, why });
    }
    this.#isFailing = true;
    this.#retry = setTimeout(() => this.#begin(), RETRY_MS);
    this.#retry.unref();
  }
}

const NEWLINE = 0x0a;

/** How many of the pieces lie wholly within the first bytes. */
function wholePieces(pieces: readonly string[], bytes: number): number {
  let end = 0;
  const cut = pieces.findIndex((piece) => {
    end += Buffer.byteLength(piece);
    return end > bytes;
  });
  return cut === -1 ? pieces.length : cut;
}
