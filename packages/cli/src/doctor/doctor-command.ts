// `exec-server doctor`: what this host can enforce, what is missing, and the command that fixes it.
import { Command } from 'commander';
import type { ExecServerRuntimePaths } from '../exec-server/runtime-paths.js';
import { ExitCode } from '../exit-code.js';
import { printText } from '../print-text.js';
import { type Examination, examineHost } from './examine-host.js';

const MARKS = { ok: '✓', weaker: '!', missing: '✗' } as const;

export function doctorCommand({ launcher }: ExecServerRuntimePaths): Command {
  return new Command('doctor').option('--json', 'as JSON').action(async ({ json }: { json?: boolean }) => {
    const examination = await examineHost(launcher);
    printText(json === true ? `${JSON.stringify(examination, null, 2)}\n` : describe(examination));
    if (!examination.usable) throw new ExitCode(1);
  });
}

export function describe({ usable, findings }: Examination): string {
  const width = Math.max(...findings.map(({ topic }) => topic.length));
  const lines = findings.flatMap(({ topic, status, detail, fix }) => [
    `${MARKS[status]} ${topic.padEnd(width)}  ${detail}`,
    ...(fix === undefined ? [] : [`  ${' '.repeat(width)}  fix: ${fix}`]),
  ]);
  const verdict = usable
    ? 'Commands can be sandboxed here.'
    : 'Commands cannot be sandboxed here; sandboxed requests are refused.';
  return `${[...lines, '', verdict].join('\n')}\n`;
}
