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

/** What one scenario may take of a round, so that a slow column costs no more patience than a quick one. */
const BUDGET_MS = 1000;
const LEAST_SAMPLES = 3;

/** Takes the scenario's samples, or as many as the time allows, after its warm-up. */
export async function takeSamples(
  { samplesPerRound, warmUps = samplesPerRound > 1 ? Math.ceil(samplesPerRound / 5) : 0 }: Scenario,
  sample: () => Promise<number>,
): Promise<readonly number[]> {
  await repeat(warmUps, sample);
  return repeat(samplesPerRound, sample);
}

async function repeat(times: number, sample: () => Promise<number>): Promise<readonly number[]> {
  const samples: number[] = [];
  const end = performance.now() + BUDGET_MS;
  while (samples.length < times && (samples.length < LEAST_SAMPLES || performance.now() < end)) {
    samples.push(await sample());
  }
  return samples;
}
