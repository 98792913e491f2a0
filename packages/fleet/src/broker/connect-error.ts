// Why the broker was not reached, and what to do about it, in words for the user of the program.

import { FleetError } from '../fleet-error.js';
import type { BrokerAddress } from './broker-address.js';
import type { Credentials } from './credentials-file.js';

export interface Attempt {
  readonly address: BrokerAddress;
  /** The file that was named. */
  readonly file: string | undefined;
  readonly credentials: Credentials | undefined;
  readonly now: number;
}

export function connectError(cause: unknown, attempt: Attempt): FleetError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const { label } = attempt.address;
  if (isRefusal(cause)) {
    const { file, credentials, now } = attempt;
    return new FleetError('FLEET_CREDENTIALS', refusal({ label, file, credentials, now, why }), {
      details: { broker: label, ...(file === undefined ? {} : { file }) },
      cause,
    });
  }
  return new FleetError(
    'FLEET_BROKER',
    `cannot connect to the broker ${label}: ${wordsOf(why)}${advice(why, attempt)}`,
    {
      details: { broker: label },
      cause,
    },
  );
}

function isRefusal(cause: unknown): boolean {
  const name: unknown = Reflect.get(Object(cause), 'name');
  return name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError';
}

function refusal({
  label,
  file,
  credentials,
  now,
  why,
}: Pick<Attempt, 'file' | 'credentials' | 'now'> & { readonly label: string; readonly why: string }): string {
  if (file === undefined)
    return `the broker ${label} asks for credentials: name a file that \`exec-server fleet mint\` wrote (--credentials, or \`credentials\` of connect)`;
  const { expiresAt } = credentials ?? {};
  if (expiresAt !== undefined && expiresAt * 1000 <= now)
    return `the credentials ${file} expired on ${new Date(expiresAt * 1000).toISOString()}: mint new ones with \`exec-server fleet mint\``;
  return `the broker ${label} refuses the credentials ${file} (${why}): they were revoked, or are of another fleet than the broker's accounts.conf`;
}

/** What the library says of an answer that it cannot read is about itself. */
const UNREADABLE = /undefined error|protocol error|unexpected .*(?:byte|character|token)|PARSE/i;

function wordsOf(why: string): string {
  return UNREADABLE.test(why) ? 'what answers there does not speak the protocol of nats-server' : why;
}

function advice(why: string, { address }: Attempt): string {
  if (/connection refused|ECONNREFUSED/i.test(why)) return '; nothing listens there: start the broker first';
  if (/ENOTFOUND|EAI_AGAIN/.test(why)) return '; no such host';
  if (UNREADABLE.test(why)) return '; is that the port of another program, or of its monitoring (8222)?';
  if (/ECONNRESET|socket hang up/.test(why))
    return '; something answers and hangs up: another program, or a broker that wants TLS from the first byte';
  if (/timeout/i.test(why)) return '; nothing answers there: a firewall, or another program than nats-server';
  if (/does not support 'tls'|not available on this server/.test(why) && address.needsTls)
    return '; it has no TLS, and off loopback nothing goes in the clear: give the broker a `tls` block, or accept it with --insecure-plaintext (`insecurePlaintext`)';
  if (/certificate|self-signed|issuer|altname/i.test(why))
    return "; name the authority of the broker's certificate with --fleet-ca (`caFile`)";
  return '';
}
