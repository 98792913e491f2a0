// The report of a run, for a person at a terminal.
import { performance } from 'node:perf_hooks';
import type { CheckOutcome } from './run-target.js';
import { isBad, type Verdict } from './verdict.js';

const MARK: Readonly<Record<Verdict['kind'], string>> = {
  held: 'ok     ',
  failed: 'FAILED ',
  differs: 'differs',
  stale: 'STALE  ',
  'not-applicable': 'skipped',
};

export function outcomeLines({ planned, verdict, milliseconds }: CheckOutcome): string[] {
  const { id, behaviour, source } = planned.requirement;
  const line = `${MARK[verdict.kind]} ${id}${milliseconds >= 1_000 ? ` (${(milliseconds / 1_000).toFixed(1)} s)` : ''}`;
  switch (verdict.kind) {
    case 'held':
      return [line];
    case 'differs':
      return [line, `          as expected: ${verdict.reason}`];
    case 'not-applicable':
      return [`${line} (needs ${verdict.missing.join(', ')})`];
    case 'stale':
      return [line, `          holds, so take it off the list of expected differences: ${verdict.reason}`];
    case 'failed':
      return [
        line,
        `          required: ${behaviour}`,
        `          source:   ${source}`,
        ...indented(verdict.error),
      ];
  }
}

export function summaryLine(outcomes: readonly CheckOutcome[], startedAt: number): string {
  const count = (kind: Verdict['kind']) => outcomes.filter(({ verdict }) => verdict.kind === kind).length;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const bad = outcomes.filter(({ verdict }) => isBad(verdict)).length;
  const counts = `${count('held')} held, ${count('differs')} differ as expected, ${count('not-applicable')} not applicable`;
  return `${bad === 0 ? 'CONFORMS' : 'DOES NOT CONFORM'}: ${counts}, ${count('failed')} failed, ${count('stale')} stale entries, in ${seconds} s`;
}

function indented(error: Error): string[] {
  return error.message
    .split('\n')
    .slice(0, 30)
    .map((line) => `          ${line.slice(0, 400)}`);
}
