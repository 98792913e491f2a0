// `npm start`: sets up, builds and serves on a free loopback port; `npm start -- --listen …` passes options on.
import { setUp } from './setup.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runScript } from './steps/run-command.mjs';
import { runCodex } from './steps/serve.mjs';

await runScript(async () => {
  await setUp();
  await bundleCodex();
  runCodex(['exec-server', ...process.argv.slice(2)]);
});
