// `npm run codex -- …`: the `codex` app of this checkout, built when its sources changed.
import { setUp } from './setup.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runScript } from './steps/run-command.mjs';
import { runCodex } from './steps/serve.mjs';

await runScript(async () => {
  await setUp();
  await bundleCodex();
  runCodex(process.argv.slice(2));
});
