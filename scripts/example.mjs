// `npm run example NAME`: runs a program of examples/ on the sources of this checkout.
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setUp } from './setup.mjs';
import { runScript, StepError } from './steps/run-command.mjs';
import { runInForeground } from './steps/serve.mjs';
import { inRoot } from './steps/workspace.mjs';

/** Where an example looks for a server unless it is told another address. */
const DEFAULT_SERVER = 'ws://127.0.0.1:7777';

await runScript(async () => {
  const [name, ...args] = process.argv.slice(2);
  const path = pathOf(name);
  await setUp();
  const needsServer = readFileSync(path, 'utf8').includes(DEFAULT_SERVER);
  if (needsServer) await requireServer(args[0] ?? DEFAULT_SERVER);
  runInForeground(['--conditions=@codex/source', '--import', 'tsx', path, ...args]);
});

function pathOf(name) {
  const names = readdirSync(inRoot('examples'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3));
  if (names.includes(name)) return inRoot('examples', `${name}.ts`);
  const what = name === undefined ? 'an example has a name' : `there is no example "${name}"`;
  throw new StepError(`${what}. There are: ${names.join(', ')}.`);
}

/** What most newcomers meet first deserves a sentence instead of the example's stack trace. */
async function requireServer(address) {
  const { hostname, port } = URL.canParse(address) ? new URL(address) : {};
  if (!port) return;
  const isListening = await new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  if (isListening) return;
  throw new StepError(
    `nothing listens on ${address}. Start a server in another terminal: npm start -- --listen ${DEFAULT_SERVER}\n` +
      '  or name the address of one that runs: npm run example NAME ws://HOST:PORT',
  );
}
