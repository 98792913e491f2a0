// One script on both servers. The real one comes first: where it fails, the script is wrong.
import { expect } from 'vitest';
import { makeWorkspace, playTurn, type TurnOptions, type TurnScript } from '../cli/play-turn.js';
import type { ListedDifference } from './listed-differences.js';
import { type ComparableTurn, normalized } from './normalized.js';

export interface CompareOptions extends TurnOptions {
  /** Each stands for one output; one that does not occur fails the comparison. */
  readonly differences?: readonly ListedDifference[];
}

/** Plays the script on the real server and on ours and expects the model to see the same. Returns what it saw on ours. */
export async function expectSameTurn(
  script: TurnScript,
  options: CompareOptions = {},
): Promise<ComparableTurn> {
  const workspace = makeWorkspace();
  const play = async (server: 'ours' | 'real') =>
    normalized(await playTurn(script, { server, workspace: workspace.path }, options));
  try {
    const real = await play('real');
    const ours = await play('ours');
    expect(withoutDifferences(ours.exchanges, real.exchanges, options.differences ?? [])).toEqual(
      real.exchanges,
    );
    expect(ours.workspace).toEqual(real.workspace);
    expect(ours.opening).toEqual(real.opening);
    return ours;
  } finally {
    workspace.remove();
  }
}

/** For what only our server promises. */
export async function playOnOurs(script: TurnScript, options: TurnOptions = {}): Promise<void> {
  const workspace = makeWorkspace();
  try {
    await playTurn(script, { server: 'ours', workspace: workspace.path }, options);
  } finally {
    workspace.remove();
  }
}

type Exchanges = ComparableTurn['exchanges'];

function withoutDifferences(
  ours: Exchanges,
  real: Exchanges,
  differences: readonly ListedDifference[],
): Exchanges {
  const open = [...differences];
  const adapted = ours.map((exchange, index) => {
    const expected = real[index]?.output;
    if (expected === undefined || exchange.output === expected) return exchange;
    const found = open.findIndex((one) => exchange.output.replace(one.ours, one.real) === expected);
    if (found === -1) return exchange;
    open.splice(found, 1);
    return { ...exchange, output: expected };
  });
  expect(open, 'listed differences that did not occur').toEqual([]);
  return adapted;
}
