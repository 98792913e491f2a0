// One call: from the command line that is wrapped to the end of its broker.
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { LaunchSpec } from '@codex/launcher';
import { EscalationError } from '../escalation-error.js';
import { encodeBrokerConfig } from './broker-config.js';
import { CallLink } from './call-link.js';
import type { Door } from './door.js';
import type { CallOptions, EscalationCall } from './escalation-broker.js';
import type { RecordSplitter } from './record-splitter.js';

export interface BrokerLimits {
  /** Of one call: streams that are open at a time, escalated programs included. */
  readonly maxSessions: number;
  /** For a request to come after its stream was announced. */
  readonly firstFrameMs: number;
}

/** Above what scripts use by hand, what Bash saves to (10 and up) and what it uses for process substitution (63 and down). */
const SHELL_FD = 200;
const CONFIG_FD = 201;

export interface CallHost {
  readonly program: string;
  readonly limits: BrokerLimits;
  readonly door: Door;
}

export class Call implements EscalationCall {
  readonly callId: string;
  readonly environment: Readonly<Record<string, string>> = { CODEX_ESCALATE_SOCKET: String(SHELL_FD) };
  readonly closed: Promise<'ended' | 'lost'>;
  readonly #options: CallOptions;
  readonly #host: CallHost;
  readonly #token = randomBytes(32).toString('hex');
  #settle: (how: 'ended' | 'lost') => void = () => {};
  #link: CallLink | undefined;
  #isWrapped = false;

  constructor(options: CallOptions, host: CallHost) {
    this.callId = options.callId;
    this.#options = options;
    this.#host = host;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  wrap(spec: LaunchSpec): LaunchSpec {
    const { restrict } = spec;
    if (this.#isWrapped)
      throw new EscalationError('BAD_CALL', 'a call is for one command line, and it has one');
    if (restrict?.landlock !== undefined || restrict?.seccompProgram !== undefined) {
      throw new EscalationError(
        'BAD_CALL',
        'the sandbox of this host (Landlock without bubblewrap) would bind the broker too: nothing could leave it',
      );
    }
    this.#isWrapped = true;
    this.#host.door.expect(this.#token, (socket, splitter, rest) => this.#connect(socket, splitter, rest));
    const [file = ''] = spec.argv;
    const { arg0 = file, ...others } = spec;
    return {
      ...others,
      argv: [this.#host.program, String(CONFIG_FD), file, arg0, ...spec.argv.slice(1)],
      inheritFds: [...(spec.inheritFds ?? []), { data: this.#config(), as: CONFIG_FD }],
      // Escalated programs run in the host's process numbers, in the same tree.
      ownPidNamespace: false,
    };
  }

  end(): void {
    this.#host.door.forget(this.#token);
    if (this.#link === undefined) this.#settle('ended');
    else this.#link.end();
  }

  #config(): Buffer {
    const { door, limits } = this.#host;
    const { askedPrograms } = this.#options;
    return encodeBrokerConfig({
      ...limits,
      serverPid: process.pid,
      shellFd: SHELL_FD,
      door: door.name,
      token: this.#token,
      askedPrograms,
    });
  }

  #connect(socket: Socket, splitter: RecordSplitter, rest: readonly Buffer[]): void {
    this.#link = new CallLink(this.#options, socket, this.#settle);
    this.#link.listen(splitter, rest);
  }
}
