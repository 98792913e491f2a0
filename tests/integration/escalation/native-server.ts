// A server to be killed: one call that escalates. argv: folder, command, kind of shell.
import { Harness, shellOf } from './native-harness.ts';

const [, , folder = '/', command = ':', kind] = process.argv;
const harness = new Harness();
const running = await harness.start({
  shell: await shellOf(kind === 'patched' ? 'patched' : 'preload'),
  command,
  cwd: folder,
  decide: ({ argv }) =>
    argv[0] === 'sh' ? { action: 'escalate', environment: { PATH: '/usr/bin:/bin' } } : { action: 'run' },
});
await running.done;
