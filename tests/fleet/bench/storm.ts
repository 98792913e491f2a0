// `npm run bench:fleet -- storm`: a hundred machines and three hundred clients lose their broker at the same moment, and it comes back
// a second later. How soon everybody works again, how the reconnects are spread, and what the broker takes for them.

import { startBroker } from '../support/broker.js';
import { processorSeconds } from '../support/process-cost.js';
import { runStorm } from '../support/storm.js';
import { median, quantile } from './measure.js';
import { print } from './print.js';

const MACHINES = 100;
const CLIENTS = 300;
const AWAY_MS = 1000;

const broker = await startBroker();
let backAt = 0;
const { recoveredMs, wrong } = await runStorm({
  url: broker.url,
  machines: MACHINES,
  clients: CLIENTS,
  strike: async () => {
    await broker.kill();
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    backAt = Date.now();
    await broker.restart();
  },
  recovered: async () => {
    const connz = await (await fetch(`${broker.monitorUrl}/connz?limit=2000`)).json();
    const { connections } = connz as { readonly connections: readonly { readonly start: string }[] };
    const dialledMs = connections.map(({ start }) => Date.parse(start) - backAt);
    const inAny100Ms = dialledMs.map(
      (at) => dialledMs.filter((other) => other >= at && other < at + 100).length,
    );
    print(
      `${connections.length} reconnects: median ${median(dialledMs)} ms after the broker was started, last ${Math.max(...dialledMs)} ms; at most ${Math.max(...inAny100Ms)} within 100 ms`,
    );
    print(`the broker took ${processorSeconds(broker.pid).toFixed(2)} s of a core until all were back`);
  },
});
print(
  `a line comes back again: median ${median(recoveredMs).toFixed(0)} ms, p90 ${quantile(recoveredMs, 0.9).toFixed(0)} ms, last ${Math.max(...recoveredMs).toFixed(0)} ms after its port opened`,
);
print(`clients that missed something or had it twice: ${wrong.length} of ${CLIENTS}`);
await broker.stop();
