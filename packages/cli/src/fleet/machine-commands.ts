// `fleet ls`, `top` and `drain`.

import { ExitCode } from '../exit-code.js';
import { printError, printJson, printText } from '../print-text.js';
import type { BrokerFlags } from '../settings/fleet-flags.js';
import { machineTable } from './machine-table.js';
import { withLink } from './operator-link.js';

interface EnvironmentFlags extends BrokerFlags {
  readonly environment?: string;
}

const REDRAW_MS = 1000;
const CLEAR = '\u001b[H\u001b[2J';

export async function listMachines(
  flags: EnvironmentFlags & { readonly json?: boolean; readonly waitMs: number },
): Promise<void> {
  const machines = await withLink(flags, async (link) => {
    const { Inventory } = await import('@codex/exec-fleet');
    const inventory = new Inventory(link, flags.environment);
    // Every machine beats within five seconds.
    await new Promise((resolve) => setTimeout(resolve, flags.waitMs));
    return inventory.list();
  });
  if (flags.json === true) {
    printJson(machines);
    return;
  }
  if (machines.length === 0) {
    const { environment } = flags;
    const where = environment === undefined ? '' : ` of environment ${environment}`;
    printError(
      `No machine${where} was heard within ${flags.waitMs} ms. One joins with: exec-server --fleet ${flags.fleet} --environment ${environment ?? 'default'} --credentials x1.creds\n`,
    );
    throw new ExitCode(1);
  }
  printText(machineTable(machines, Date.now()));
}

export async function topMachines(flags: EnvironmentFlags): Promise<void> {
  await withLink(flags, async (link) => {
    const { Inventory } = await import('@codex/exec-fleet');
    const inventory = new Inventory(link, flags.environment);
    const draw = (): void => {
      printText(`${CLEAR}${machineTable(inventory.list(), Date.now())}`);
    };
    const timer = setInterval(draw, REDRAW_MS);
    draw();
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve).once('SIGTERM', resolve);
    });
    clearInterval(timer);
  });
}

export async function drainMachine(
  machine: string,
  flags: BrokerFlags & { readonly environment: string },
): Promise<void> {
  await withLink(flags, async (link) => {
    const { requestDrain } = await import('@codex/exec-fleet');
    await requestDrain(link, flags.environment, machine);
  });
  printText(`${flags.environment}/${machine} drains: it takes no new sessions and ends after the last.\n`);
}
