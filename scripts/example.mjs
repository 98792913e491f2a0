// `npm run example NAME`: runs a program of examples/ on the sources of this checkout.
import { readdirSync } from 'node:fs';
import { setUp } from './setup.mjs';
import { runScript, StepError } from './steps/run-command.mjs';
import { runInForeground } from './steps/serve.mjs';
import { inRoot } from './steps/workspace.mjs';

const exampleNames = () =>
  readdirSync(inRoot('examples'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3));

await runScript(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  if (!exampleNames().includes(name)) {
    throw new StepError(`there is no example "${name}". There are: ${exampleNames().join(', ')}.`);
  }
  await setUp();
  runInForeground([
    '--conditions=@codex/source',
    '--import',
    'tsx',
    inRoot('examples', `${name}.ts`),
    ...args,
  ]);
});
