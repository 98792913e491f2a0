// The output of a scripted process on its way to a recording client.
import { OutputBudget } from '../src/process/output/output-budget.js';
import { OutputDelivery } from '../src/process/output/output-delivery.js';
import { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from '../src/process/process-limits.js';
import { ManualClock } from './manual-clock.js';
import { RecordingPeer } from './recording-peer.js';
import { ScriptedProcess } from './scripted-launcher.js';

export type ScriptedOutput = ReturnType<typeof scriptedOutput>;

export function scriptedOutput(limits: Partial<ProcessLimits> = {}, budget = new OutputBudget(1e9)) {
  const delivered: string[] = [];
  const clock = new ManualClock();
  const delivery = new OutputDelivery({
    processId: 'p',
    limits: { ...DEFAULT_PROCESS_LIMITS, ...limits },
    budget,
    clock,
    onChange: () => undefined,
    onDelivered: () => void delivered.push('delivered'),
  });
  const child = new ScriptedProcess(
    { argv: ['x'], cwd: '/', env: {}, io: { type: 'pipe', stdin: 'closed' } },
    1,
  );
  delivery.readFrom(child.outputs, () => delivery.closed());
  const peer = new RecordingPeer();
  /** A block of its own: nothing is merged into it. */
  const produce = (bytes: number) => {
    child.say('x'.repeat(bytes));
    delivery.log.entry(delivery.log.nextSeq - 1);
  };
  const isPaused = () => child.outputs[0]?.isPaused;
  return { delivery, child, peer, produce, budget, clock, delivered, isPaused };
}
