// `npm run test:fleet`: everything about fleets, on three versions of the broker, some minutes. Opt-in; `npm test` runs a
// core of it.
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { binary, root } from './steps/workspace.mjs';

const full = { cwd: root, env: { ...process.env, FLEET: 'full' } };
const vitest = (project, ...files) =>
  runCommand(binary('vitest'), ['run', '--project', project, ...files], full);

const STEPS = [
  ['Set-up', setUp],
  ['Bubblewrap', ensureBubblewrap],
  ['Build', bundleCodex],
  ['Fleet tests', () => vitest('fleet')],
  [
    'Conformance over a broker and through a gateway',
    () => vitest('conformance', 'nats.test.ts', 'gateway.test.ts'),
  ],
];

await runScript(async () => {
  for (const [title, step] of STEPS) {
    say(`\n— ${title}`);
    await step();
  }
});
