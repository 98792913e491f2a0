// Tells whether an address is a loopback address.

import { BlockList, isIP } from 'node:net';

export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  return family === 4 ? plain.startsWith('127.') : family === 6 && isLoopbackV6(plain);
}

/** It can be written in many ways. */
function isLoopbackV6(address: string): boolean {
  const loopback = new BlockList();
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(address, 'ipv6');
}

/** Whether a listener there is reached from this machine only. An IPv6 address may stand in brackets, as in a URL. */
export function isLoopbackListener(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));
}

/** An IPv4 address that came in over an IPv6 socket, as IPv4. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}
