// Which sandbox a call gets: what its client says with the call, what it said last for all calls, or the server's own.
// A client's word is data. No program that it names is ever started.
import type { CallSandbox } from '@codex/escalation';
import { parseSandboxContext } from '@codex/sandbox';
import { InvalidCallError } from '../server/invalid-call-error.js';

export const SANDBOX_STATE_CAPABILITIES = {
  'codex/sandbox-state': { version: '1.0.0' },
  'codex/sandbox-state-meta': { version: '1.0.0' },
} as const;

export const SANDBOX_STATE_UPDATE = 'codex/sandbox-state/update';

/** In this order. */
const META_KEYS = ['codex/sandbox-state-meta', 'codex/sandbox-state'] as const;

/** What a call carries about its sandbox, if it does. One that is not understood refuses the call: nothing runs then. */
export function sandboxStateOf(meta: Readonly<Record<string, unknown>>): CallSandbox | undefined {
  for (const key of META_KEYS) {
    const value = meta[key];
    if (value !== undefined && value !== null) return parseSandboxState(value);
  }
  return undefined;
}

/** `permissionProfile`, or the `sandboxPolicy` of older clients, and the folder that they are about. */
export function parseSandboxState(value: unknown): CallSandbox {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidCallError('the sandbox state is not an object');
  }
  const state = new Map<string, unknown>(Object.entries(value));
  const cwd = state.get('sandboxCwd');
  if (typeof cwd !== 'string') throw new InvalidCallError('the sandbox state has no `sandboxCwd`');
  const permissions = state.get('permissionProfile');
  const sandboxPolicy = state.get('sandboxPolicy');
  try {
    const { policy, ...place } = parseSandboxContext(
      { permissions, sandboxPolicy, cwd, workspaceRoots: [cwd] },
      { cwd: '/' },
    );
    return { policy, cwd: place.cwd, workspaceRoots: place.workspaceRoots };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidCallError(`the sandbox state is not understood: ${reason}`);
  }
}
