// The processor time of the longest task of a page: what it would take of a frame on a machine that did nothing else. How
// long frames take on a clock depends on everything that runs beside it.

import type { CDPSession, Page } from 'playwright-core';

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const MAIN_THREAD = 'CrRendererMain';

/** Records the tasks of the page until it is called; how many milliseconds the longest one took. */
export async function longestTask(page: Page): Promise<() => Promise<number>> {
  const devTools = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  devTools.on(
    'Tracing.dataCollected',
    ({ value }) => void events.push(...(value as unknown as TraceEvent[])),
  );
  await devTools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  });
  return async () => {
    await stopped(devTools);
    await devTools.detach();
    const mainThreads = new Set(
      events
        .filter(({ ph, args }) => ph === 'M' && args.name === MAIN_THREAD)
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    const tasks = events.filter(
      ({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${pid} ${tid}`),
    );
    return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  };
}

async function stopped(devTools: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => devTools.once('Tracing.tracingComplete', resolve));
  await devTools.send('Tracing.end');
  await complete;
}
