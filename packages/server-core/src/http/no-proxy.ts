// The NO_PROXY list: names with their subdomains, addresses, networks, or everything.
import { BlockList, isIP } from 'node:net';

export function bypassesProxy(hostname: string, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(host, entry));
}

function matches(host: string, entry: string): boolean {
  if (entry === '*') return true;
  const family = isIP(host);
  if (family !== 0) return matchesAddress(host, entry);
  const name = entry.replace(/^\*?\./, '');
  return host === name || host.endsWith(`.${name}`);
}

function matchesAddress(host: string, entry: string): boolean {
  const [address = '', prefix] = entry.replace(/^\[|\]$/g, '').split('/');
  const family = isIP(address);
  if (family === 0) return false;
  const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
  const networks = new BlockList();
  networks.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return networks.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}
