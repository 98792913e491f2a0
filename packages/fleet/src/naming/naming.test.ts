import { describe, expect, it } from 'vitest';
import { newSessionId, pinOf } from './session-id.js';
import { checkedName, Subjects } from './subjects.js';

describe('names', () => {
  it('are words that can stand in a subject', () => {
    expect(checkedName('x', 'gpu-1_A')).toBe('gpu-1_A');
    for (const name of ['', 'a.b', '*', '>', 'a b', 'ä', 'a~b', 'x'.repeat(65)]) {
      expect(() => checkedName('the environment', name)).toThrow('is not a name');
    }
  });

  it('of sessions lead to their machine, and only those that a machine has made', () => {
    const id = newSessionId({ executor: 'x7', boot: 'abc' });
    expect(pinOf(id)).toEqual({ executor: 'x7', boot: 'abc' });
    for (const other of [
      '',
      'b5a4c9a4-6f5e-4a43-9d3c-6d4a2c9b8a11',
      'a~b',
      'a~b~c~d',
      'a.b~c~d',
      '*~b~c',
      '>~b~c',
    ]) {
      expect(pinOf(other)).toBeUndefined();
    }
  });

  it('of return subjects belong to one caller', () => {
    const subjects = new Subjects('gpu');
    const caller = { role: 'c', key: 'UA' } as const;
    const own = `${subjects.caller(caller, 'i')}.1`;
    expect(subjects.belongsTo(own, caller)).toBe(true);
    expect(subjects.belongsTo(own, { role: 'g', key: 'UA' })).toBe(false);
    expect(subjects.belongsTo(own, { role: 'c', key: 'U' })).toBe(false);
    expect(subjects.belongsTo('exec.v1.cpu.r.c.UA.i.1', caller)).toBe(false);
    for (const tail of ['>', 'i', 'i.', 'i.c.d', `i.${'c'.repeat(65)}`])
      expect(subjects.belongsTo(`exec.v1.gpu.r.c.UA.${tail}`, caller)).toBe(false);
    expect(subjects.isMachines(subjects.toMachine('x1', caller, 'c'), caller)).toBe(true);
    for (const other of ['x.x1.c.UB.c', 'x.*.c.UA.c', 'x.x1.c.UA.c.d', 'open.c.UA', 'xx1.c.UA.c'])
      expect(subjects.isMachines(`exec.v1.gpu.${other}`, caller)).toBe(false);
  });
});
