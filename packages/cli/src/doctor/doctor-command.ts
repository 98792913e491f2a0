// `exec-server doctor`: what this host can enforce, tried policy by policy, what is missing, and what fixes it.
import type { PolicyDiagnosis } from '@codex/sandbox';
import { Command } from 'commander';
import { ExitCode } from '../exit-code.js';
import { printText } from '../print-text.js';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import { type Examination, examineHost, type Finding } from './examine-host.js';

const MARKS = { ok: '✓', weaker: '!', missing: '✗' } as const;

const NOTES = `
Every kind of policy is tried: a command runs under it and does what the policy allows and what it forbids. The exit
code is 0 when read-only and workspace-write hold as they are.`;

export function doctorCommand({ launcherProgram }: ExecServerRuntimePaths): Command {
  return new Command('doctor')
    .option('--json', 'as JSON')
    .addHelpText('after', NOTES)
    .action(async ({ json }: { json?: boolean }) => {
      const examination = await examineHost(launcherProgram);
      printText(json === true ? `${JSON.stringify(examination, null, 2)}\n` : describe(examination));
      if (!examination.usable) throw new ExitCode(1);
    });
}

export function describe({ usable, findings, policies }: Examination): string {
  const rows = [...findings, ...policies.map(policyRow)];
  const width = Math.max(...rows.map(({ topic }) => topic.length));
  const lines = (part: readonly Finding[]): string[] =>
    part.flatMap(({ topic, status, detail, fix, instead }) => [
      `${MARKS[status]} ${topic.padEnd(width)}  ${detail}`,
      ...(fix === undefined ? [] : [`  ${' '.repeat(width)}  fix: ${fix}`]),
      ...(instead === undefined ? [] : [`  ${' '.repeat(width)}  or serve with: ${instead}`]),
    ]);
  const tried = policies.length === 0 ? [] : ['', 'Tried:', ...lines(policies.map(policyRow))];
  return `${[...lines(findings), ...tried, '', verdict(usable, policies)].join('\n')}\n`;
}

function policyRow(diagnosis: PolicyDiagnosis): Finding {
  const { policy, enforceable, by, weaker = [], accept = [], reason = 'it does not hold', fix } = diagnosis;
  if (enforceable) {
    const detail = [`holds, by ${by}`, ...weaker].join('; ');
    return { topic: policy, status: weaker.length === 0 ? 'ok' : 'weaker', detail };
  }
  return {
    topic: policy,
    status: 'missing',
    detail: reason,
    ...(fix === undefined ? {} : { fix }),
    ...(accept.length === 0 ? {} : { instead: acceptFlags(accept) }),
  };
}

function acceptFlags(accept: readonly string[]): string {
  return accept.map((form) => `--accept-weaker-sandbox ${form}`).join(' ');
}

function verdict(usable: boolean, policies: readonly PolicyDiagnosis[]): string {
  const failing = policies.filter(({ enforceable }) => !enforceable);
  if (!usable && failing.length === policies.length)
    return 'Commands cannot be sandboxed here; sandboxed requests are refused.';
  if (!usable) {
    const names = policies.flatMap(({ policy, enforceable }) => (enforceable ? [`"${policy}"`] : []));
    return `Commands cannot be sandboxed here as they should: only ${names.join(', ')} can be enforced, everything else is refused.`;
  }
  if (failing.length === 0) return 'Commands can be sandboxed here.';
  const names = failing.map(({ policy }) => `"${policy}"`).join(', ');
  return `Commands can be sandboxed here, but not by every policy: requests with ${names} are refused.`;
}
