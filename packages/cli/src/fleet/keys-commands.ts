// Keys and credentials, made offline: `fleet init`, `add-account`, `mint`, `keys`, `revoke`.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FleetKeys, Role } from '@codex/exec-fleet';
import { printJson, printText } from '../print-text.js';
import { FleetFlagError } from '../settings/fleet-flags.js';
import { keyTable } from './key-table.js';

const BROKER_FILE = 'broker.conf';
const SECRET = 0o600;

export async function initFleet(
  folder: string,
  { account }: { readonly account: readonly string[] },
): Promise<void> {
  const { FleetKeys: Keys } = await import('@codex/exec-fleet');
  writeBrokerFile(folder, Keys.create(folder, account));
  printText(
    `Keys are in ${folder}: keep it to yourself, whoever has it owns the fleet.\n` +
      `The broker runs with:  nats-server -c ${join(folder, BROKER_FILE)}\n` +
      `A machine needs:       exec-server fleet mint ${folder} --role executor --machine x1 --out x1.creds\n`,
  );
}

export async function addAccount(folder: string, account: string): Promise<void> {
  const keys = await openKeys(folder);
  keys.addAccount(account);
  writeBrokerFile(folder, keys);
}

export interface MintFlags {
  readonly role: Role;
  readonly out: string;
  readonly account: string;
  readonly environment: readonly string[];
  readonly machine?: string;
  readonly anyMachine?: boolean;
  readonly name?: string;
  readonly expires?: string;
}

export async function mintCredentials(folder: string, flags: MintFlags): Promise<void> {
  const { role, account, environment: environments, machine, name = role, expires, out } = flags;
  if (existsSync(out)) throw new FleetFlagError(`${out} exists already, and is not overwritten`);
  checkMachine(flags);
  const { credentials, key } = (await openKeys(folder)).mint({
    role,
    account,
    environments,
    name,
    ...(role === 'executor' ? { machine: machine ?? '*' } : {}),
    ...(expires === undefined ? {} : { expiresAt: Math.floor(Date.now() / 1000) + secondsOf(expires) }),
  });
  try {
    writeFileSync(out, credentials, { mode: SECRET, flag: 'wx' });
  } catch (error) {
    // A file that was begun would be in the way of the next attempt.
    if (Reflect.get(Object(error), 'code') === 'ENOSPC') rmSync(out, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new FleetFlagError(`cannot write the credentials: ${why}`);
  }
  printText(`${key}\n`);
}

/** An executor that may use any name can listen in the place of every machine: that has to be meant. */
function checkMachine({ role, machine, anyMachine = false }: MintFlags): void {
  if (role !== 'executor') {
    if (machine !== undefined || anyMachine)
      throw new FleetFlagError(`\`--machine\` and \`--any-machine\` are for executors, not for a ${role}`);
  } else if ((machine === undefined) === !anyMachine) {
    throw new FleetFlagError(
      'an executor needs one of `--machine NAME`, for one machine, and `--any-machine`, for machines that trust each other: each of them can listen in the place of every other',
    );
  }
}

export async function listKeys(folder: string, { json }: { readonly json?: boolean }): Promise<void> {
  const keys = (await openKeys(folder)).minted();
  if (json === true) printJson(keys);
  else printText(keyTable(keys, Date.now()));
}

export async function revokeCredentials(
  folder: string,
  key: string,
  { account: named }: { readonly account?: string },
): Promise<void> {
  const keys = await openKeys(folder);
  const account = keys.revoke(key, named);
  writeBrokerFile(folder, keys);
  printText(
    `${key} of account ${account} is revoked in ${join(folder, 'accounts.conf')}. The broker has to have this file and to read it ` +
      `again:  nats-server --signal reload\n`,
  );
}

async function openKeys(folder: string): Promise<FleetKeys> {
  const { FleetKeys: Keys } = await import('@codex/exec-fleet');
  return Keys.open(folder);
}

/** What says where the broker listens is the administrator's; it is written once. */
function writeBrokerFile(folder: string, keys: FleetKeys): void {
  keys.writeBrokerConfig();
  const file = join(folder, BROKER_FILE);
  if (existsSync(file)) return;
  const lines = [
    '# Where the broker listens is yours to change; off loopback it needs a tls block.',
    'listen: "127.0.0.1:4222"',
    'http: "127.0.0.1:8222"',
    'include accounts.conf',
    '',
  ];
  writeFileSync(file, lines.join('\n'));
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (digits === undefined || factor === undefined) {
    throw new FleetFlagError(`\`--expires\` is a number with s, m, h or d, as in 30d, not \`${text}\``);
  }
  return Number(digits) * factor;
}
