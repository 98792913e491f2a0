import { describe, expect, it } from 'vitest';
import { ToolFailure } from '../tool-error.js';
import { execCommandArgs, parseArguments, writeStdinArgs } from './tool-arguments.js';

function problem(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ToolFailure)
      return error.message.replace('failed to parse function arguments: ', '');
    throw error;
  }
  return 'none';
}

describe('arguments', () => {
  it('are taken as they are, without what nobody knows', () => {
    expect(execCommandArgs({ cmd: 'ls', tty: true, yield_time_ms: 5, foo: 1 })).toEqual({
      cmd: 'ls',
      tty: true,
      yield_time_ms: 5,
    });
    expect(writeStdinArgs({ session_id: 5, chars: '' })).toEqual({ session_id: 5, chars: '' });
  });

  it('may be null where they may be absent, and 5.0 where they are 5', () => {
    expect(execCommandArgs(parseArguments('{"cmd":"ls","tty":null,"yield_time_ms":5.0}'))).toEqual({
      cmd: 'ls',
      yield_time_ms: 5,
    });
  });

  it.each([
    [{}, 'missing field `cmd`'],
    [{ cmd: null }, 'invalid type: null, expected a string'],
    [{ cmd: 5 }, 'invalid type: integer `5`, expected a string'],
    [{ cmd: 'x', tty: 'yes' }, 'invalid type: string "yes", expected a boolean'],
    [{ cmd: 'x', yield_time_ms: -1 }, 'invalid value: integer `-1`, expected u64'],
    [{ cmd: 'x', yield_time_ms: 0.5 }, 'invalid type: floating point `0.5`, expected u64'],
    [{ cmd: 'x', prefix_rule: ['a', 1] }, 'invalid type: integer `1`, expected a string'],
    [{ cmd: {} }, 'invalid type: map, expected a string'],
    [[], 'invalid type: sequence, expected an object with the field `cmd`'],
    ['ls', 'invalid type: string "ls", expected an object with the field `cmd`'],
  ])('that are wrong are told: %j', (value, said) => {
    expect(problem(() => execCommandArgs(value))).toBe(said);
  });

  it('do not come from a prototype, and come back shortened', () => {
    expect(problem(() => execCommandArgs(parseArguments('{"__proto__":{"cmd":"ls"}}')))).toBe(
      'missing field `cmd`',
    );
    expect(problem(() => writeStdinArgs({ session_id: 'x'.repeat(9_999) })).length).toBeLessThan(200);
    expect(problem(() => parseArguments('{'))).toBe('the arguments are not JSON');
  });
});
