// The interface by which the listener authenticates a client. The failure sentences are the ones Codex clients see from
// the Rust server.
import type { Grant } from '@codex/exec-protocol';

/** What its bearer may do beside its own sessions; without it, what every client may. */
export interface GrantedRights {
  readonly grants?: readonly Grant[];
  readonly seesOthers?: boolean;
}

export type AuthVerdict =
  | ({ readonly ok: true; readonly identity: string } & GrantedRights)
  | { readonly ok: false; readonly message: string };

/** Judges the value of the Authorization header. */
export type Authenticator = (authorization: string | undefined) => AuthVerdict;

export function refused(message: string): AuthVerdict {
  return { ok: false, message };
}
