// How long the frames of a page take: what somebody who looks at it sees as stutter.

import type { Page } from 'playwright-core';
import { longestTask } from './longest-task.js';

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export interface Frames {
  readonly longest: number;
  readonly median: number;
  /** Processor time of the page's longest task. */
  readonly task: number;
}

/** Counts frames until it is called; how long the longest and the middle one took. */
export function frames(page: Page, name: string): () => Promise<Frames> {
  const tasks = longestTask(page);
  const started = page.evaluate((key) => {
    const times: number[] = [];
    let last = performance.now();
    let isOver = false;
    const frame = (): void => {
      times.push(performance.now() - last);
      last = performance.now();
      if (!isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Reflect.set(globalThis, key, () => {
      isOver = true;
      return times;
    });
  }, name);
  return async () => {
    await started;
    const times = await page.evaluate<number[]>(`${name}()`);
    return { longest: Math.max(...times), median: median(times), task: await (await tasks)() };
  };
}
