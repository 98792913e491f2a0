// What a connection may see and do beside its own session. It is decided where the connection came in (the door), never
// by a message; this is where the decision is kept and asked.
import type { Grant } from '@codex/exec-protocol';

export const ALL_GRANTS: readonly Grant[] = ['own', 'observe', 'denials', 'files', 'stop', 'type', 'approve'];

/** Who came in, as the door says. */
export interface Admitted {
  /** A session belongs to the identity that opened it. */
  readonly identity: string;
  /** Default: all, for sessions of the same identity. */
  readonly grants?: readonly Grant[];
  /** The grants also count for sessions of other identities, and what concerns no session is told. Default false. */
  readonly seesOthers?: boolean;
}

export interface SessionOwner {
  readonly identity: string;
}

/** An embedder's own rule in place of the usual one: the same identity, or one that sees others. */
export type MayObserve = (observer: Required<Admitted>, session: SessionOwner) => boolean;

const usualRule: MayObserve = ({ identity, seesOthers }, session) =>
  seesOthers || session.identity === identity;

export class Access {
  readonly admitted: Required<Admitted>;
  readonly #mayObserve: MayObserve;

  constructor({ identity, grants, seesOthers }: Admitted, mayObserve: MayObserve = usualRule) {
    this.admitted = { identity, grants: grants ?? ALL_GRANTS, seesOthers: seesOthers ?? false };
    this.#mayObserve = mayObserve;
  }

  get identity(): string {
    return this.admitted.identity;
  }

  /** Whether there may be a session at all for which it has the grant. */
  has(grant: Grant): boolean {
    const { grants } = this.admitted;
    return grants.includes(grant) || grants.includes('own');
  }

  /** What an observer of this access is told that it may do. */
  get observerGrants(): readonly Grant[] {
    return ALL_GRANTS.filter((grant) => grant !== 'own' && this.has(grant));
  }

  /** Who may open sessions may do everything with those of its own identity, and with those of others what it was granted. */
  can(grant: Grant, session: SessionOwner): boolean {
    const { identity, grants } = this.admitted;
    if (!this.#mayObserve(this.admitted, session)) return false;
    return grants.includes(grant) || (grants.includes('own') && session.identity === identity);
  }

  /** Refused connections, observers, tickets: what concerns no session. */
  get seesServer(): boolean {
    const { identity, seesOthers } = this.admitted;
    return seesOthers || identity === `local:${process.getuid?.() ?? ''}`;
  }
}
