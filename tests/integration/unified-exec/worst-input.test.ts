// Whatever a model says gets an answer, and leaves nothing behind.
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from '../client/support/targets.js';
import { processesWith, sessionIn, watched } from './support/watched.js';

const MEGABYTES = 'x'.repeat(10_000_000);

const NONSENSE: Readonly<Record<string, readonly [tool: string, json: string, code: string]>> = {
  'no JSON': ['exec_command', 'ls -l', 'tool.arguments'],
  'half of JSON': ['exec_command', '{"cmd":"ls', 'tool.arguments'],
  nothing: ['exec_command', '', 'tool.arguments'],
  'a list': ['exec_command', '["ls"]', 'tool.arguments'],
  'a word': ['exec_command', '"ls"', 'tool.arguments'],
  null: ['write_stdin', 'null', 'tool.arguments'],
  'a number for a command': ['exec_command', '{"cmd":1}', 'tool.arguments'],
  'a word for a number': ['exec_command', '{"cmd":"ls","yield_time_ms":"soon"}', 'tool.arguments'],
  'a number beyond all': ['exec_command', '{"cmd":"ls","yield_time_ms":1e400}', 'tool.arguments'],
  'words for a flag': ['exec_command', `{"cmd":"ls","tty":"${'yes'.repeat(1_000)}"}`, 'tool.arguments'],
  'a prototype': ['exec_command', '{"__proto__":{"cmd":"ls"}}', 'tool.arguments'],
  'NUL in a command': ['exec_command', '{"cmd":"echo \\u0000"}', 'tool.startFailed'],
  'NUL in a folder': ['exec_command', '{"cmd":"ls","workdir":"a\\u0000b"}', 'tool.startFailed'],
  'a folder that is none': ['exec_command', '{"cmd":"ls","workdir":"/no/such/folder"}', 'tool.startFailed'],
  'a folder of megabytes': [
    'exec_command',
    JSON.stringify({ cmd: 'ls', workdir: MEGABYTES }),
    'tool.startFailed',
  ],
  'a command of megabytes': ['exec_command', JSON.stringify({ cmd: `: ${MEGABYTES}` }), 'tool.startFailed'],
  'half of a character': ['exec_command', '{"cmd":"echo \\ud800"}', 'tool.arguments'],
  'half of a character to type': ['write_stdin', '{"session_id":5,"chars":"\\udc00"}', 'tool.arguments'],
  'an unknown session': ['write_stdin', '{"session_id":5}', 'tool.sessionUnknown'],
  'a session beyond all': ['write_stdin', '{"session_id":1e300}', 'tool.arguments'],
  'another tool': [`rm ${MEGABYTES}`, '{}', 'tool.unknown'],
  'a tool that is not offered': ['apply_patch', '{"patch":""}', 'tool.unknown'],
  'a tool of Object': ['constructor', '{}', 'tool.unknown'],
};

describeOnEveryTarget('the worst input', (suite) => {
  it('is answered with a sentence, a code and what to do', async () => {
    const client = await suite.connect();
    await using watch = watched(client);
    for (const [what, [tool, json, code]] of Object.entries(NONSENSE)) {
      const output = await watch.tool.dispatch(tool, json);
      expect(output.isError, what).toBe(true);
      expect(output.error?.code, what).toBe(code);
      expect(output.error?.hint, what).toMatch(/\.$/);
      expect(output.text.length, what).toBeLessThan(2_500);
      expect(output.text, what).toContain(output.error?.hint);
    }
    expect(watch.tool.sessions()).toEqual([]);
  });

  it('may be megabytes for a program that does not read', async () => {
    const mark = `sleep 4${Date.now()}`;
    await using watch = watched(await suite.connect());
    const started = await watch.tool.execCommand({ cmd: `exec ${mark}`, tty: true, yield_time_ms: 250 });
    const id = sessionIn(started.text);
    const before = Date.now();
    const written = await watch.tool.writeStdin({ session_id: id, chars: 'x'.repeat(1_000_000) });
    expect(written.isError).toBe(false);
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(await watch.tool.terminate(id)).toBe(true);
    expect(processesWith(mark)).toBe(0);
  });

  it('may come after the end', async () => {
    await using watch = watched(await suite.connect());
    const started = await watch.tool.execCommand({ cmd: 'read x', tty: true, yield_time_ms: 250 });
    const id = sessionIn(started.text);
    const ended = await watch.tool.writeStdin({ session_id: id, chars: 'x\n', yield_time_ms: 5_000 });
    expect(ended.structured.exit_code).toBe(0);
    for (const chars of ['more', '', '\u0003']) {
      const late = await watch.tool.writeStdin({ session_id: id, chars });
      expect(late).toMatchObject({ isError: true, error: { code: 'tool.sessionUnknown' } });
    }
  });

  it('may be two hundred calls at once', async () => {
    const client = await suite.connect();
    await using watch = watched(client);
    const calls = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0
        ? watch.tool.dispatch('exec_command', JSON.stringify({ cmd: `echo ${index}; exit ${index % 7}` }))
        : watch.tool.dispatch('write_stdin', JSON.stringify({ session_id: index, chars: 'x' })),
    );
    const outputs = await Promise.all(calls);
    outputs.forEach((output, index) => {
      if (index % 2 === 0) {
        expect(output.structured.exit_code).toBe(index % 7);
        expect(output.text).toContain(`Output:\n${index}\n`);
      } else expect(output.error?.code).toBe('tool.sessionUnknown');
    });
    expect(watch.tool.sessions()).toEqual([]);
    expect((await watch.types()).filter((type) => type === 'begin')).toHaveLength(100);
    expect((await watch.types()).filter((type) => type === 'end')).toHaveLength(100);
  });

  it('may be more commands at once than there may be sessions: none of them pays for another', async () => {
    await using watch = watched(await suite.connect(), {
      allowLogin: false,
      profile: { maxProcesses: 8, protectRecent: 2 },
    });
    const call = (cmd: string, yield_time_ms: number) => watch.tool.execCommand({ cmd, yield_time_ms });
    // Half of them end within their call, half go on as sessions, of which only eight may stay.
    const short = Array.from({ length: 20 }, (_, index) => call(`sleep 1; echo ${index}`, 20_000));
    const long = Array.from({ length: 20 }, () => call('exec sleep 60', 250));
    const ended = await Promise.all(short);
    expect(ended.map(({ structured }) => structured.output)).toEqual(short.map((_, index) => `${index}\n`));
    const running = await Promise.all(long);
    expect(running.every(({ structured }) => structured.session_id !== undefined)).toBe(true);
    expect(watch.tool.sessions()).toHaveLength(8);
    const notes = [...ended, ...running].flatMap(({ structured }) => structured.notes ?? []);
    expect(notes.filter((note) => note.includes('to make room'))).toHaveLength(12);
  });

  it('finds an application that throws where it is asked', async () => {
    await using watch = watched(await suite.connect(), {
      approvalPolicy: 'untrusted',
      approve: () => {
        throw new Error('broken');
      },
    });
    const output = await watch.tool.execCommand({ cmd: 'true' });
    expect(output).toMatchObject({ isError: true, error: { code: 'tool.rejected' } });
    expect(output.text).toContain('broken');
  });
});
