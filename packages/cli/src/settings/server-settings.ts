// The list of all settings of the server.

import { LOG_FORMATS, LOG_LEVELS } from '../stderr-logger.js';
import { AUTH_MODES } from './auth-flags.js';
import { FLEET_SETTINGS } from './fleet-flags.js';
import { LIMIT_TABLES } from './limit-tables.js';
import { DEFAULT_LISTEN_URL } from './listen-url.js';
import type { Setting } from './setting.js';
import { TICKET_GRANTS } from './ticket-grants.js';
import { WEAKER_FORMS } from './weaker-forms.js';

/** A clock skew of more than nine digits has no use. */
const HIGHEST_SECONDS = 999_999_999;

const OWN: readonly Setting[] = [
  {
    name: 'listen',
    kind: 'text',
    placeholder: 'url',
    text: 'where to listen: ws://IP:PORT, or stdio',
    fallback: DEFAULT_LISTEN_URL,
  },
  {
    name: 'wsAuth',
    kind: 'choice',
    placeholder: 'mode',
    choices: AUTH_MODES,
    text: 'authentication of websocket clients',
  },
  path('wsTokenFile', 'absolute path of the file that holds the capability token'),
  {
    name: 'wsTokenSha256',
    kind: 'text',
    placeholder: 'hex',
    text: 'SHA-256 digest of the capability token',
  },
  path('wsSharedSecretFile', 'absolute path of the file that holds the secret of signed tokens'),
  { name: 'wsIssuer', kind: 'text', placeholder: 'issuer', text: 'expected issuer of signed tokens' },
  { name: 'wsAudience', kind: 'text', placeholder: 'audience', text: 'expected audience of signed tokens' },
  {
    name: 'wsMaxClockSkewSeconds',
    kind: 'integer',
    placeholder: 'seconds',
    highest: HIGHEST_SECONDS,
    text: 'tolerated clock difference for signed tokens',
  },
  path('tlsCert', 'certificate (PEM); needed off loopback'),
  path('tlsKey', 'private key (PEM) of the certificate'),
  off('insecurePlaintext', 'accept that tokens and output cross the network in the clear'),
  {
    name: 'allowHost',
    kind: 'list',
    placeholder: 'name',
    text: 'names, besides IP addresses and localhost, that clients may call this server by',
  },
  {
    name: 'allowOrigin',
    kind: 'list',
    placeholder: 'origin',
    text: 'browser origins that may connect (needs --ws-auth)',
  },
  off('console', 'serve a console for browsers below /console/'),
  {
    name: 'consoleMaxGrants',
    kind: 'list',
    placeholder: 'grant',
    choices: TICKET_GRANTS,
    text: 'what the tickets of the console may be good for at most',
  },
  {
    name: 'acceptWeakerSandbox',
    kind: 'list',
    placeholder: 'form',
    choices: WEAKER_FORMS,
    text: 'weaker forms of sandboxing that are better than none here; exec-server doctor says which',
  },
  path('auditLog', 'file that is appended who ran what and when, as lines of JSON'),
  path('record', 'folder for recordings of what commands write (asciicast), secrets included'),
  {
    name: 'metricsListen',
    kind: 'text',
    placeholder: 'url',
    text: 'where to serve metrics for Prometheus: http://IP:PORT, with the same gates',
  },
  {
    name: 'logLevel',
    kind: 'choice',
    placeholder: 'level',
    choices: LOG_LEVELS,
    text: 'what to log on stderr',
    fallback: 'warn',
  },
  {
    name: 'logFormat',
    kind: 'choice',
    placeholder: 'format',
    choices: LOG_FORMATS,
    text: 'form of the log lines',
    fallback: 'text',
  },
  off('quiet', 'no hints on stderr how to connect'),
  {
    ...off('exitOnStdinClose', 'end when the standard input is closed, as it is when the parent has died'),
    variable: 'CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE',
  },
];

function path(name: string, text: string): Setting {
  return { name, kind: 'path', placeholder: 'path', text };
}

function off(name: string, text: string): Setting {
  return { name, kind: 'switch', fallback: false, text };
}

function limitSettings(): Setting[] {
  return Object.values(LIMIT_TABLES).flatMap(({ title, defaults, texts }) =>
    Object.entries(defaults).map(([name, fallback]): Setting => {
      const base = { name, group: title, text: texts[name] ?? '' };
      if (typeof fallback === 'boolean') return { ...base, kind: 'switch', fallback };
      const placeholder = name.endsWith('Ms') ? 'ms' : name.includes('Bytes') ? 'bytes' : 'n';
      return { ...base, kind: 'integer', placeholder, fallback };
    }),
  );
}

export const SERVER_SETTINGS: readonly Setting[] = [...OWN, ...FLEET_SETTINGS, ...limitSettings()];
