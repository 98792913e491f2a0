// The sandbox of one call: what it can write, what has to stay as it is in it, and whether anything may leave it at all.
import {
  extendPolicy,
  type PolicyContext,
  resolvePolicy,
  type SandboxPolicy,
  workspaceWrite,
} from '@codex/sandbox';
import type { EverWritable } from '../trust/ever-writable.js';
import type { Trust } from '../trust/program-trust.js';
import { type WritablePlaces, writablePlaces } from '../trust/writable-places.js';

export interface CallBoundary {
  /** With what must not be written in it. */
  readonly policy: SandboxPolicy;
  /** What no program that leaves may lie in. */
  readonly places: WritablePlaces;
  readonly hasSandbox: boolean;
  readonly leaving: Trust;
}

export interface CallBoundaryOptions {
  readonly policy: SandboxPolicy;
  readonly context: PolicyContext;
  /** Rules and the audit log, folders or files, existing or not: a command that could change these would be its own judge. */
  readonly keptAsTheyAre: readonly string[];
  /** Of all calls of a server. What this one can write is added to it. */
  readonly everWritable: EverWritable;
}

export function callBoundary({
  policy,
  context,
  keptAsTheyAre,
  everWritable,
}: CallBoundaryOptions): CallBoundary {
  const resolved = resolvePolicy(policy, context);
  const hasSandbox = resolved.restrictsFiles || resolved.network !== 'enabled';
  const places = writablePlaces(resolved);
  // A call that nothing confines is trusted with everything, its rules included: it says nothing about the others.
  everWritable.lookAtMounts();
  if (hasSandbox) everWritable.add(places);
  everWritable.add(writablePlaces(resolvePolicy(workspaceWrite(), withoutRoot(context))));
  // Only what is writable gets an entry: elsewhere it would open what the policy may not even show.
  const kept = keptAsTheyAre
    .flatMap((path) => everWritable.namesOf(path))
    .filter((path) => places.isWritable(path));
  const entries = [...new Set(kept)].map(
    (path) => ({ path: { type: 'path', path }, access: 'read' }) as const,
  );
  return {
    policy: extendPolicy(policy, entries),
    places: everWritable,
    hasSandbox,
    leaving: leaving(resolved, everWritable),
  };
}

/**
 * Workspaces and temporary folders are where commands write, in this sandbox or in that of another server. A server that is
 * started in `/` has no workspace in that sense.
 */
function withoutRoot(context: PolicyContext): PolicyContext {
  return { ...context, workspaceRoots: context.workspaceRoots.filter((root) => root !== '/') };
}

/** A program outside reads everything, so nothing leaves a sandbox that hides something. */
function leaving({ fullDiskRead }: ReturnType<typeof resolvePolicy>, everWritable: EverWritable): Trust {
  if (fullDiskRead) return everWritable.isKnown;
  return { isTrusted: false, reason: 'the sandbox hides files, which a program outside of it could read' };
}
