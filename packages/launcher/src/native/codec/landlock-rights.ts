// Landlock's bit masks (kernel ABI) and how our words for access map to them.
import type { LandlockAccess, LandlockRules } from '../../launch-spec.js';

const bit = (position: number): bigint => 1n << BigInt(position);

const EXECUTE = bit(0);
const LIST = bit(3); // read_dir
const READ = bit(2) | LIST; // read_file
// remove_dir, remove_file, make_{char,dir,reg,sock,fifo,block,sym}, refer
const RENAME = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13].reduce((mask, position) => mask | bit(position), 0n);
const WRITE = RENAME | bit(1) | bit(14) | bit(15); // write_file, truncate, ioctl_dev
const ACCESS: Record<LandlockAccess, bigint> = {
  read: READ,
  list: LIST,
  execute: EXECUTE,
  write: WRITE,
  rename: RENAME,
};

export const TCP_BIND = bit(0);
export const TCP_CONNECT = bit(1);

export function fsAccessMask(allow: readonly LandlockAccess[]): bigint {
  return allow.reduce((mask, access) => mask | ACCESS[access], 0n);
}

/** The launcher drops the rights that the running kernel does not know; `minimumAbi` says when that is not acceptable. */
export function handledFsMask(rules: LandlockRules | undefined): bigint {
  return rules?.fs === undefined ? 0n : READ | EXECUTE | WRITE;
}

export function handledNetMask(rules: LandlockRules | undefined): bigint {
  if (rules?.tcp !== undefined) return TCP_BIND | TCP_CONNECT;
  return rules?.refusedTcpPorts === undefined ? 0n : TCP_CONNECT;
}

const LAST_PORT = 65_535;

/** Landlock knows what is allowed only: all ports around those that are refused, as ranges from first to last. */
export function portsAround(refused: readonly number[]): (readonly [first: number, last: number])[] {
  const ranges: [number, number][] = [];
  let first = 0;
  for (const port of [...new Set(refused)].sort((left, right) => left - right)) {
    if (port > first) ranges.push([first, port - 1]);
    first = port + 1;
  }
  if (first <= LAST_PORT) ranges.push([first, LAST_PORT]);
  return ranges;
}

export function scopeMask(rules: LandlockRules | undefined): bigint {
  const scope = rules?.scope;
  return (scope?.abstractUnixSockets ? bit(0) : 0n) | (scope?.signals ? bit(1) : 0n);
}
