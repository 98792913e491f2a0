// No command makes a file that runs as its user (set-user-id) or group: another user of the machine who can reach it would run
// it outside of every sandbox. What exists keeps its bits, and loses them when it is written, as everywhere.
import { type BpfAssembler, seccompField } from './bpf-assembler.js';
import type { SyscallName } from './syscall-numbers.js';

const setIdBits = 0o6000;
/** O_CREAT and O_TMPFILE: without one of them the argument behind is not the mode of a file, but whatever stands there. */
const creatingFlags = 0x40 | 0x400000;

/** The place of the mode among the arguments. */
const modeAt: readonly (readonly [SyscallName, number])[] = [
  ['chmod', 1],
  ['fchmod', 1],
  ['creat', 1],
  ['mknod', 1],
  ['fchmodat', 2],
  ['fchmodat2', 2],
  ['mknodat', 2],
];
/** The place of the flags; the mode follows. */
const flagsAt: readonly (readonly [SyscallName, number])[] = [
  ['open', 1],
  ['openat', 2],
];

/** openat2 has its mode in memory, which a filter does not see; programs fall back to openat. */
const unseenModes: SyscallName = 'openat2';

export function refuseSetId(on: (name: SyscallName, match: string) => void): void {
  for (const [name, at] of modeAt) on(name, `mode${at}`);
  for (const [name, at] of flagsAt) on(name, `flags${at}`);
  on(unseenModes, 'nosys');
}

export function addSetIdRules(asm: BpfAssembler): void {
  for (const [, at] of flagsAt) {
    asm.label(`flags${at}`).load(seccompField.argumentLow(at));
    asm.jumpIfAnyBit(creatingFlags, { match: `mode${at + 1}`, miss: 'allow' });
  }
  for (const at of [1, 2, 3]) {
    asm.label(`mode${at}`).load(seccompField.argumentLow(at));
    asm.jumpIfAnyBit(setIdBits, { match: 'perm', miss: 'allow' });
  }
}
