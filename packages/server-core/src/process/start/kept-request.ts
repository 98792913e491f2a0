// What is kept of a request when its command runs: what can still be asked about, none of it long. A client may send 64 MiB with each, and
// a session keeps a thousand ended processes for a while.
import { listedCommand, MAX_LISTED_LENGTH, shortened } from '../read/listed-command.js';
import type { StartRequest } from './start-request.js';

export function keptRequest({
  processId,
  argv,
  cwd,
  cwdText,
  io,
  sandbox,
  metadata,
  preparedSandbox,
}: StartRequest): StartRequest {
  return {
    processId,
    argv: listedCommand(argv),
    cwd,
    cwdText,
    env: {},
    io,
    sandbox: keptPolicy(sandbox),
    preparedSandbox,
    ...(metadata && {
      metadata: { threadId: kept(metadata.threadId), toolCallId: kept(metadata.toolCallId) },
    }),
  };
}

/** An observer asks for it long after the start: what denied the command, and which files the command may read. */
const MAX_POLICY_LENGTH = 16 * 1024;

/** Null for one that is too long: who asks is told that it is not known, since the command has a sandbox. */
function keptPolicy(sandbox: unknown): unknown {
  if (sandbox === null) return null;
  return JSON.stringify(sandbox).length > MAX_POLICY_LENGTH ? null : sandbox;
}

const kept = (name: string | null | undefined): string | null =>
  name == null ? null : shortened(name, MAX_LISTED_LENGTH);
