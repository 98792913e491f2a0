// `exec-server console`: opens the console of a running server in the browser.

import type { Grant } from '@codex/exec-protocol';
import { Command, Option } from 'commander';
import { addServerFlags, type ServerFlags, serverAddress } from '../connect/server-flags.js';
import { printError, printText } from '../print-text.js';
import { TICKET_GRANTS } from '../settings/ticket-grants.js';
import { askForTicket } from './ask-for-ticket.js';
import { browserOpener, openInBrowser } from './open-browser.js';

interface ConsoleFlags extends ServerFlags {
  readonly readOnly?: boolean;
  readonly grant?: readonly Grant[];
  readonly open: boolean;
}

const USUAL: readonly Grant[] = ['observe', 'denials', 'stop'];
const READ_ONLY: readonly Grant[] = ['observe', 'denials'];

const NOTES = `
The address works once, within a minute, and lets whoever opens it watch, be told why something was
denied, and stop what runs. It never lets anybody start a command. --grant adds to that: files, to read
files as the watched command may; approve, to answer what agents ask; type, to type into terminals.

Examples:
  exec-server console --url ws://127.0.0.1:7777
  exec-server console --url wss://build.example --token-file ~/.token --read-only`;

export function consoleCommand(): Command {
  const command = addServerFlags(new Command('console'));
  return command
    .option('--read-only', 'only watch: nothing can be stopped')
    .addOption(new Option('--grant <grant...>', 'what else it lets do').choices(TICKET_GRANTS))
    .option('--no-open', 'only print the address')
    .addHelpText('after', NOTES)
    .action(act);
}

async function act(flags: ConsoleFlags): Promise<void> {
  const grants = new Set([...(flags.readOnly === true ? READ_ONLY : USUAL), ...(flags.grant ?? [])]);
  const { address } = await askForTicket(serverAddress(flags, process.env), [...grants]);
  const opener = flags.open ? browserOpener(process.platform, process.env) : undefined;
  printText(`${address}\n`);
  if (opener !== undefined && !(await openInBrowser(address, opener))) {
    printError(`${opener} could not open it: open the address yourself, within a minute\n`);
  }
}
