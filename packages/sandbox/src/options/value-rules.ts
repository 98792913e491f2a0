// Rules for values of options that only sandboxes have.
import { isPlainRecord, oneOf, show, type ValueRule } from '@codex/exec-protocol/options';

export const variables: ValueRule = (value) => {
  if (!isPlainRecord(value)) return `is an object of names and values, not ${show(value)}`;
  const odd = Object.entries(value).find(([, content]) => typeof content !== 'string');
  return odd === undefined ? undefined : `has ${odd[0]}: a value is a string, not ${show(odd[1])}`;
};

const closed = ['off', 'none', 'no', 'disabled', false] as readonly unknown[];
const open = ['on', 'yes', 'full', 'host', true] as readonly unknown[];
const NETWORKS = ['restricted', 'loopback', 'enabled'] as const;

export const network: ValueRule = (value) => {
  if (NETWORKS.some((known) => known === value)) return undefined;
  const meant = closed.includes(value) ? 'restricted' : open.includes(value) ? 'enabled' : undefined;
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`;
  return `is one of ${NETWORKS.join(', ')}, not ${show(value)}${hint}`;
};

export const unixSockets: ValueRule = oneOf(['none', 'host']);
