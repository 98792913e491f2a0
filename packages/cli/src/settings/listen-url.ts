// The --listen URL: `ws://IP:PORT` with an IP literal, or stdio.
import { isIP } from 'node:net';
import { CodedError } from '@codex/exec-protocol';

export const DEFAULT_LISTEN_URL = 'ws://127.0.0.1:0';

export type ListenAddress =
  | { readonly transport: 'stdio' }
  | { readonly transport: 'websocket'; readonly host: string; readonly port: number };

export type ListenUrlParseErrorCode = 'LISTEN_URL_INVALID' | 'LISTEN_URL_UNSUPPORTED';

export class ListenUrlParseError extends CodedError<ListenUrlParseErrorCode> {
  override readonly name = 'ListenUrlParseError';
}

const WEBSOCKET_URL = /^ws:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/;
const HIGHEST_PORT = 65_535;
const TLS_HINT = '; --tls-cert and --tls-key switch TLS on';

export function parseListenUrl(url: string): ListenAddress {
  if (url === 'stdio' || url === 'stdio://') return { transport: 'stdio' };
  if (!url.startsWith('ws://')) {
    throw new ListenUrlParseError(
      'LISTEN_URL_UNSUPPORTED',
      `unsupported --listen URL \`${url}\`; expected \`ws://IP:PORT\` or \`stdio\`${url.startsWith('wss://') ? TLS_HINT : ''}`,
    );
  }
  const [, bracketed, plain, digits] = WEBSOCKET_URL.exec(url) ?? [];
  const port = Number(digits);
  const isAddress = bracketed === undefined ? isIP(plain ?? '') === 4 : isIP(bracketed) === 6;
  if (!isAddress || port > HIGHEST_PORT) {
    throw new ListenUrlParseError(
      'LISTEN_URL_INVALID',
      `invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``,
    );
  }
  return { transport: 'websocket', host: bracketed ?? plain ?? '', port };
}
