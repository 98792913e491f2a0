// What one check works with. Everything it opens is closed after it, and what the server said on each of its connections
// must have been well-formed.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../client/conversation.js';
import type { Link } from '../client/link.js';
import type { JsonObject } from '../client/message.js';
import { stdioLink } from '../client/stdio-link.js';
import { openWebSocket, type WebSocketOptions } from '../client/websocket-link.js';
import type { LaunchedProgram, Target } from '../targets/target.js';

export class CheckContext {
  readonly url: string;
  readonly #target: Target;
  readonly #conversations: Conversation[] = [];
  readonly #cleanups: (() => unknown)[] = [];

  constructor(target: Target, url: string) {
    this.#target = target;
    this.url = url;
  }

  /** A fresh connection on which nothing has been said. */
  async connect(options: WebSocketOptions & { readonly url?: string } = {}): Promise<Conversation> {
    const { url = this.url } = options;
    const link = (await this.#target.connect?.(url, options)) ?? (await openWebSocket(url, options));
    return this.adopt(new Conversation(link));
  }

  /** Bytes to and from the server, for a check that looks at the form of messages. */
  async openLink(): Promise<Link> {
    return (await this.#target.openLink?.(this.url)) ?? (await openWebSocket(this.url));
  }

  /** A connection with an initialised session of its own, or a resumed one. */
  async open(initialize: JsonObject = {}): Promise<Conversation> {
    const connection = await this.connect();
    await this.initialize(connection, initialize);
    return connection;
  }

  /** The two-step handshake; returns the result of `initialize`. */
  async initialize(connection: Conversation, params: JsonObject = {}): Promise<JsonObject> {
    const result = await connection.call('initialize', { clientName: 'conformance', ...params });
    connection.notify('initialized', {});
    return result;
  }

  /** Starts a server of the target's own with other arguments. Needs `own-process`. */
  async launch(args: readonly string[]): Promise<LaunchedProgram> {
    if (!this.#target.launch) throw new Error(`${this.#target.name} is not a program that can be started`);
    const program = await this.#target.launch(args);
    this.defer(() => program.stop());
    return program;
  }

  /** A server that speaks over stdin and stdout. Needs `stdio`. */
  async openStdio(): Promise<{ program: LaunchedProgram; connection: Conversation }> {
    const program = await this.launch(['--listen', 'stdio']);
    return { program, connection: this.adopt(new Conversation(stdioLink(program.child))) };
  }

  /** An empty directory on the machine of the suite, without symbolic links in its name. Needs `shared-host`. */
  async scratch(): Promise<string> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'exec-conformance-')));
    this.defer(() => rm(directory, { recursive: true, force: true }));
    return directory;
  }

  /** Runs after the check, last registered first. */
  defer(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }

  adopt(conversation: Conversation): Conversation {
    this.#conversations.push(conversation);
    this.defer(() => conversation.drop());
    return conversation;
  }

  /** What was malformed in anything the server sent to this check. */
  faults(): string[] {
    return this.#conversations.flatMap((conversation) => conversation.faults);
  }

  async dispose(): Promise<void> {
    for (const cleanup of this.#cleanups.reverse()) await cleanup();
  }
}
