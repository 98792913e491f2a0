// `fleet metrics`: what the machines say about themselves, as numbers for Prometheus and for an autoscaler.

import { createServer } from 'node:http';
import type { KnownMachine, SlotCounts } from '@codex/exec-fleet';
import { printText } from '../print-text.js';
import type { BrokerFlags } from '../settings/fleet-flags.js';
import { withLink } from './operator-link.js';
import { parsePlace } from './status-server.js';

export async function exportMetrics(
  flags: BrokerFlags & { readonly environment?: string; readonly statusListen: string },
): Promise<void> {
  const { Inventory, slotsOf } = await import('@codex/exec-fleet');
  await withLink(flags, async (link) => {
    const inventory = new Inventory(link, flags.environment);
    const { host, port } = parsePlace(flags.statusListen);
    const server = createServer((request, response) => {
      const path = request.url?.split('?', 1)[0];
      const machines = inventory.list();
      if (path === '/metrics')
        response
          .setHeader('content-type', 'text/plain; version=0.0.4')
          .end(metricsText({ machines, slots: slotsOf(machines), wants: inventory.wants }));
      else if (path === '/slots') {
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(Object.fromEntries(slotsOf(machines))));
      } else if (path === '/readyz') response.writeHead(link.isUp ? 200 : 503).end();
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    const address = server.address();
    printText(
      `http://${host}:${typeof address === 'object' && address !== null ? address.port : port}/metrics\n`,
    );
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve).once('SIGTERM', resolve);
    });
    server.close();
    server.closeAllConnections();
  });
}

interface FleetNumbers {
  readonly machines: readonly KnownMachine[];
  readonly slots: ReadonlyMap<string, SlotCounts>;
  readonly wants: ReadonlyMap<string, number>;
}

function metricsText({ machines, slots, wants }: FleetNumbers): string {
  const slotLines = [...slots].flatMap(([environment, counts]) =>
    Object.entries(counts).map(
      ([state, count]) => `exec_fleet_slots{environment="${environment}",state="${state}"} ${count}`,
    ),
  );
  const perMachine = machines.map(
    ({ environment, executor, sessions }) =>
      `exec_fleet_machine_sessions{environment="${environment}",executor="${executor}"} ${sessions}`,
  );
  return [
    '# TYPE exec_fleet_slots gauge',
    ...slotLines,
    '# TYPE exec_fleet_no_capacity_total counter',
    ...[...wants].map(
      ([environment, count]) => `exec_fleet_no_capacity_total{environment="${environment}"} ${count}`,
    ),
    '# TYPE exec_fleet_machines gauge',
    `exec_fleet_machines ${machines.length}`,
    '# TYPE exec_fleet_machine_sessions gauge',
    ...perMachine,
    '',
  ].join('\n');
}
