// What the console asks of a server, with the types of the protocol.

import type {
  ApprovalsDecideResult,
  ApprovalsListResult,
  ConsoleShareTicketResult,
  FsReadDirectoryResult,
  InitializeResult,
  JournalSubscribeResult,
  ObserveOpenParams,
  ObserveOpenResult,
  ObserveOutputNotification,
  ObserveProcessesResult,
  ObserveReadFileResult,
  ObserveTreeResult,
  PermissionProfile,
  ProcessTerminateResult,
  ProcessWriteResult,
  SandboxExplainResult,
  SessionsListResult,
} from '@codex/exec-protocol';
import { encodeBase64 } from '@codex/exec-protocol';
import type { RpcSocket } from './rpc-socket.js';

export interface Target {
  readonly session: string;
  readonly processId: string;
}

/** As they are here: the bytes of a message are bytes, in whichever form they came. */
export type WatchedOutput = Omit<ObserveOutputNotification, 'chunk'> & { readonly chunk: Uint8Array };
export type ReadFile = Omit<ObserveReadFileResult, 'chunk'> & { readonly chunk: Uint8Array };

export class Api {
  readonly socket: RpcSocket;

  constructor(socket: RpcSocket) {
    this.socket = socket;
  }

  async initialize(): Promise<InitializeResult> {
    const result = await this.#ask<InitializeResult>('initialize', {
      clientName: 'exec-server console',
      role: 'observer',
      binaryPayloads: true,
    });
    this.socket.notify('initialized', {});
    return result;
  }

  sessions = (): Promise<SessionsListResult> => this.#ask('sessions/list');
  processes = (): Promise<ObserveProcessesResult> => this.#ask('observe/processes', {});
  subscribe = (afterSeq: number): Promise<JournalSubscribeResult> =>
    this.#ask('journal/subscribe', { afterSeq });
  open = (params: ObserveOpenParams): Promise<ObserveOpenResult> => this.#ask('observe/open', params);
  close = (watch: string): Promise<unknown> => this.#ask('observe/close', { watch });
  tree = (target: Target): Promise<ObserveTreeResult> => this.#ask('observe/tree', target);
  shareTicket = (): Promise<ConsoleShareTicketResult> => this.#ask('console/shareTicket');
  ack = (watch: string, seq: number): void => this.socket.notify('observe/ack', { watch, seq });
  /** `whatIf`: as if this were its policy. */
  explain = (target: Target, path?: string, whatIf?: PermissionProfile): Promise<SandboxExplainResult> => {
    const { session, processId } = target;
    return this.#ask('sandbox/explain', { session, processId, path: path ?? null, whatIf: whatIf ?? null });
  };
  /** Asks the command to end; what is left of its tree after a moment is killed. */
  stop = (target: Target): Promise<ProcessTerminateResult> =>
    this.#ask('control/terminate', { ...target, mode: { type: 'graceful', timeoutMs: 1500 } });
  /** Kills all of its tree at once, also what a command that has ended left behind. */
  endTree = (target: Target): Promise<ProcessTerminateResult> =>
    this.#ask('control/terminate', { ...target, mode: { type: 'tree' } });
  interrupt = (target: Target): Promise<unknown> =>
    this.#ask('control/signal', { ...target, signal: 'interrupt' });
  /** For terminals: the keys that a person has pressed. */
  write = (target: Target, bytes: Uint8Array): Promise<ProcessWriteResult> =>
    this.#ask('control/write', { ...target, chunk: encodeBase64(bytes) });
  directory = (target: Target, path: string): Promise<FsReadDirectoryResult> =>
    this.#ask('observe/readDirectory', { ...target, path });
  file = (target: Target, path: string, offset = 0): Promise<ReadFile> =>
    this.#ask('observe/readFile', { ...target, path, offset, maxBytes: 256 * 1024 });
  approvals = (): Promise<ApprovalsListResult> => this.#ask('approvals/list');
  decide = (
    session: string,
    approval: string,
    decision: string,
    note: string,
  ): Promise<ApprovalsDecideResult> =>
    this.#ask('approvals/decide', { session, approval, decision, ...(note === '' ? {} : { note }) });

  #ask<Result>(method: string, params?: unknown): Promise<Result> {
    return this.socket.call(method, params) as Promise<Result>;
  }
}
