// `exec-server console`: opens the console of a running server in the browser.

import type { Grant } from '@codex/exec-protocol';
import { Command, Option } from 'commander';
import { failureSentence } from '../connect/failure-sentence.js';
import { addServerFlags, type ServerFlags, serverAddress } from '../connect/server-flags.js';
import { ExitCode } from '../exit-code.js';
import { printError, printJson, printText } from '../print-text.js';
import { PROGRAM } from '../program-name.js';
import { TICKET_GRANTS } from '../settings/ticket-grants.js';
import { askForTicket, type ConsoleAddress } from './ask-for-ticket.js';
import { browserOpener, openInBrowser } from './open-browser.js';

interface ConsoleFlags extends ServerFlags {
  readonly readOnly?: boolean;
  readonly grant?: readonly Grant[];
  readonly open: boolean;
  readonly json?: boolean;
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
    .option('--json', 'print JSON, for a script, and open nothing')
    .addHelpText('after', NOTES)
    .action(act);
}

async function act(flags: ConsoleFlags): Promise<void> {
  const grants = new Set([...(flags.readOnly === true ? READ_ONLY : USUAL), ...(flags.grant ?? [])]);
  const asked = await ask(flags, [...grants]);
  if (flags.json === true) {
    printJson(asked);
    return;
  }
  const { address } = asked;
  const opener = flags.open ? browserOpener(process.platform, process.env) : undefined;
  printText(`${address}\n`);
  if (opener !== undefined && !(await openInBrowser(address, opener))) {
    printError(`${opener} could not open it: open the address yourself, within a minute\n`);
  }
}

/** A failure is one sentence, or with --json one line. */
async function ask(flags: ConsoleFlags, grants: readonly Grant[]): Promise<ConsoleAddress> {
  try {
    return await askForTicket(serverAddress(flags, process.env), grants);
  } catch (error) {
    if (flags.json === true) printJson({ error: failureSentence(error) });
    else printError(`${PROGRAM} console: ${failureSentence(error)}\n`);
    throw new ExitCode(1);
  }
}
