import type { ObservedProcess, ObservedSession } from '@codex/exec-protocol';
import { expect, it } from 'vitest';
import { processTable } from './ps-command.js';

const HOSTILE = '\x1b]0;title\x07\u009b6n\u202e\n';

it('changes no terminal, whatever a server says', () => {
  const session = {
    session: `s${HOSTILE}`,
    clientName: HOSTILE,
    identity: HOSTILE,
    state: HOSTILE,
  } as unknown as ObservedSession;
  const process = {
    processId: HOSTILE,
    pid: HOSTILE,
    argv: [HOSTILE],
    cwd: HOSTILE,
    state: HOSTILE,
    exitCode: HOSTILE,
    startedAtMs: HOSTILE,
  };
  const processes = [{ session: session.session, process } as unknown as ObservedProcess];
  const lines = processTable({ sessions: [session], processes, omitted: 0 });
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(lines[1]).toContain('exit \\u{1b}]0;title');
});
