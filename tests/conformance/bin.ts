#!/usr/bin/env -S node --conditions=@codex/source --import tsx
// exec-conformance: runs the suite against one server and reports to a person. Exit code 0 when it conforms, 1 when not, 2 for wrong usage.
import { parseArgs } from 'node:util';
import { REQUIREMENTS } from './requirements/manifest.js';
import { uselessEntries } from './runner/plan.js';
import { outcomeLines, summaryLine } from './runner/report.js';
import { runTarget } from './runner/run-target.js';
import { isBad } from './runner/verdict.js';
import { selectTarget } from './targets/select-target.js';

const USAGE = `exec-conformance: checks an exec-server against the protocol's requirements

  --url ws://HOST:PORT     a server that is already running
  --command '<command>'    a command that prints the ws:// address of the server it starts
  --target NAME            in-process | in-process-binary | cli | codex
  --only PREFIX            only requirements whose id starts with PREFIX
  --feature NAME           (repeatable, for --url and --command) what the server offers beyond the common protocol;
                           default: shared-host, the server runs on this machine
  --list                   print the requirements and stop
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      command: { type: 'string' },
      target: { type: 'string' },
      only: { type: 'string', default: '' },
      feature: { type: 'string', multiple: true, default: ['shared-host'] },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    say(USAGE);
    return 0;
  }
  if (values.list) {
    listRequirements(values.only);
    return 0;
  }
  const target = await selectTarget({ ...values, features: values.feature, say });
  if (!target) {
    process.stderr.write(USAGE);
    return 2;
  }
  const startedAt = performance.now();
  const outcomes = await runTarget(target, {
    only: values.only,
    onOutcome: (outcome) => outcomeLines(outcome).forEach(say),
  });
  const useless = uselessEntries(target);
  for (const entry of useless) say(`STALE   expected difference ${entry}`);
  say('');
  say(`${target.name}: ${summaryLine(outcomes, startedAt)}`);
  return useless.length > 0 || outcomes.some(({ verdict }) => isBad(verdict)) ? 1 : 0;
}

function listRequirements(only: string): void {
  for (const { id, source, behaviour, needs = [] } of REQUIREMENTS.values()) {
    if (!id.startsWith(only)) continue;
    say(
      `${id}\n    ${behaviour}\n    source: ${source}${needs.length > 0 ? `; needs ${needs.join(', ')}` : ''}`,
    );
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`exec-conformance: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
