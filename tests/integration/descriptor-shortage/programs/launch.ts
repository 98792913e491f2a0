// Prints how launches fail while no descriptor is left, and that they work again afterwards.
import { createLauncher, LaunchError, type LaunchSpec } from '@codex/launcher';
import { exhaustDescriptors } from '../support/exhaust-descriptors.js';

const spec = (io: LaunchSpec['io']): LaunchSpec => ({
  argv: ['/bin/true'],
  cwd: '/',
  env: {},
  io,
});
const pipe = spec({ type: 'pipe', stdin: 'closed' });
/** Its pipes are made for it alone; those of a command that only prints are there before it. */
const pipeWithInput = spec({ type: 'pipe', stdin: 'open' });
const pty = spec({ type: 'pty', rows: 24, cols: 80 });
const native = createLauncher({ keepSpare: false });
const withSpare = createLauncher();
const portable = createLauncher({ launcherProgram: null });

async function outcome(launcher: typeof native, what: LaunchSpec): Promise<string> {
  try {
    const launched = await launcher.launch(what);
    for (const output of launched.outputs)
      output.start(
        () => undefined,
        () => undefined,
      );
    await launched.treeGone;
    return `exit ${(await launched.exited).code}`;
  } catch (error) {
    return error instanceof LaunchError ? `${error.stage} ${error.errno}` : String(error);
  }
}

const results: Record<string, string> = {};
const warm = createLauncher();
await outcome(warm, pipe);
await new Promise((resolve) => setTimeout(resolve, 100)); // others wait for the next launches
const shortage = exhaustDescriptors();
const shortOf = (left: number, launcher: typeof native, what: LaunchSpec): Promise<string> => {
  shortage.leave(left);
  return outcome(launcher, what);
};
results['others wait'] = await shortOf(0, warm, pipe);
await new Promise((resolve) => setTimeout(resolve, 100)); // its outputs are closed
results['others wait, a command with input'] = await shortOf(0, warm, pipeWithInput);
warm.close();
results['native pipe'] = await shortOf(0, native, pipe);
results['native pty'] = await shortOf(0, native, pty);
results['portable pipe'] = await shortOf(0, portable, pipe);
results['spare pipe'] = await shortOf(0, withSpare, pipe);
results['native pty, terminal opened'] = await shortOf(1, native, pty);
results['portable pipe, one left'] = await shortOf(1, portable, pipe);
await new Promise((resolve) => setTimeout(resolve, 50)); // the spare is refilled in vain
shortage.end();
results['native later'] = await outcome(native, pty);
results['spare later'] = await outcome(withSpare, pipe);
results['portable later'] = await outcome(portable, pipe);
process.stdout.write(JSON.stringify(results));
withSpare.close();
