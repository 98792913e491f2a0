// The lines on stderr that tell a person what to do with the address.
import { hostname } from 'node:os';

export interface HintOptions {
  readonly needsToken: boolean;
}

/** Every address of this machine: nobody can connect to that, so its name stands there. */
const ANY_ADDRESS = /\/\/(?:0\.0\.0\.0|\[::\])(?=:)/;

export function connectionHints(listening: string, { needsToken }: HintOptions): string {
  const url = listening.replace(ANY_ADDRESS, `//${hostname()}`);
  const token = needsToken ? ' --token-file FILE' : '';
  // The variable that Codex reads has no room for a token; its file of environments has.
  const codex = needsToken
    ? `$CODEX_HOME/environments.toml:  [[environments]] id = "box", url = "${url}", auth_bearer_token = "<token>"`
    : `CODEX_EXEC_SERVER_URL=${url} codex`;
  return (
    `Ready. Codex uses this server with:  ${codex}\n` +
    `Try it:  exec-server run --url ${url}${token} -- uname -s   (in a checkout: npm run codex -- run …)\n`
  );
}

/** Addresses of the console with a ticket, best first. */
export function consoleHint(pages: readonly string[]): string {
  return pages
    .map((page, index) => `${index === 0 ? 'Console, once, within five minutes:' : '  or'}  ${page}\n`)
    .join('');
}
