// A command that ends before its output does.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversation } from '../../client/conversation.js';
import type { CheckContext } from '../../runner/check-context.js';
import { startScript } from './process-fixture.js';

/** A command that exits with 3 while a background child keeps its stdout open until released. */
export async function startWithHolder(
  t: CheckContext,
  connection: Conversation,
): Promise<{ processId: string; release: () => Promise<void> }> {
  const gate = join(await t.scratch(), 'gate');
  const release = () => writeFile(gate, '');
  // The child must end even when the check fails before the release.
  t.defer(release);
  const child = `while [ ! -e '${gate}' ]; do sleep 0.05; done; echo late`;
  return { processId: await startScript(connection, `echo early; (${child}) & exit 3`), release };
}
