// Questions of an owner to the people who watch its session.
import type { Capabilities } from '../capabilities.js';
import type { SessionLink } from '../session/session-link.js';

export interface ApprovalQuestion {
  readonly title: string;
  readonly argv?: readonly string[];
  readonly cwd?: string;
  /** Why it is asked. */
  readonly reason?: string;
  /** What would be allowed, one sentence each. */
  readonly sentences?: readonly string[];
  /** Default: `allow` and `deny`. */
  readonly choices?: readonly { readonly id: string; readonly label: string }[];
  /** How long to wait for a decision. Default five minutes. */
  readonly expiresInMs?: number;
  /** Names the question. Asked again under the same name it is the same question. Default: a new name. */
  readonly id?: string;
  /** Withdraws the question. */
  readonly signal?: AbortSignal;
}

export interface ApprovalAnswer {
  /** The id of a choice; or `nobody` (no one is there to decide), `expired`, `withdrawn`. */
  readonly decision: string;
  /** Whether a person decided. */
  readonly decided: boolean;
  readonly by?: string;
  readonly note?: string;
}

export class Approvals {
  readonly #link: SessionLink;
  readonly #capabilities: Capabilities;

  constructor(link: SessionLink, capabilities: Capabilities) {
    this.#link = link;
    this.#capabilities = capabilities;
  }

  /** Resolves when an observer has decided, when none can, or when the time is over. A lost connection changes nothing. */
  async ask({ signal, id = crypto.randomUUID(), ...question }: ApprovalQuestion): Promise<ApprovalAnswer> {
    this.#capabilities.require('approvals', 'Asking for approval');
    const withdraw = (): void => void this.withdraw(id).catch(() => undefined);
    const { argv, sentences, choices, ...texts } = question;
    const params = {
      ...texts,
      id,
      ...(argv === undefined ? {} : { argv: [...argv] }),
      ...(sentences === undefined ? {} : { sentences: [...sentences] }),
      ...(choices === undefined ? {} : { choices: [...choices] }),
    };
    const asked = this.#link.ask('approvals/ask', params, { repeatable: true, control: true });
    if (signal?.aborted === true) withdraw();
    signal?.addEventListener('abort', withdraw, { once: true });
    try {
      const { decision, decided, by, note } = await asked;
      return { decision, decided, ...(by == null ? {} : { by }), ...(note == null ? {} : { note }) };
    } finally {
      signal?.removeEventListener('abort', withdraw);
    }
  }

  async withdraw(id: string): Promise<void> {
    await this.#link.ask('approvals/withdraw', { id }, { repeatable: true, control: true });
  }
}
