// The interface by which the listener authenticates a client. The failure sentences are the ones Codex clients see from
// the Rust server.

export type AuthVerdict =
  | { readonly ok: true; readonly identity: string }
  | { readonly ok: false; readonly message: string };

/** Judges the value of the Authorization header. */
export type Authenticator = (authorization: string | undefined) => AuthVerdict;

export function refused(message: string): AuthVerdict {
  return { ok: false, message };
}
