// A column of the table: something that can be started, asked for samples, and stopped.
import type { Scenario } from '../scenario.js';

export interface OpenSubject {
  /** Takes the samples of one round. */
  take(scenario: Scenario): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface Subject {
  readonly name: string;
  measures(scenario: Scenario): boolean;
  open(): Promise<OpenSubject>;
}

export async function repeat(times: number, sample: () => Promise<number>): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let n = 0; n < times; n += 1) samples.push(await sample());
  return samples;
}
