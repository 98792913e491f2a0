// A model that wants out: through links, through a person's yes, and through sheer numbers. The built program, the official client.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isSoak } from '../process/support/soak.js';
import { ERAS, McpProgram } from './support/mcp-client.js';

function outside(): string {
  const folder = mkdtempSync('/var/tmp/hostile-model-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'secret'), 'secret\n');
  return folder;
}

const accept = () => ({ action: 'accept', content: {} }) as const;
const escalated = { sandbox_permissions: 'require_escalated', justification: 'please' };

describe('a hostile model', () => {
  it('writes nothing outside through links that it made, also when they change under way', async () => {
    const folder = outside();
    await using program = await McpProgram.start();
    symlinkSync(`${folder}/secret`, join(program.folder, 'link'));
    symlinkSync(folder, join(program.folder, 'folder'));
    symlinkSync(`${folder}/new`, join(program.folder, 'dangling'));
    const linked = await program.exec(`ln ${folder}/secret hard; test -e hard`);
    expect(linked.data['exit_code']).not.toBe(0);
    const write = (path: string) => program.call('write_file', { path, content: 'mine' });
    for (const path of ['link', 'folder/secret', 'folder/new', 'dangling', `${folder}/new`]) {
      expect((await write(path)).isError, path).toBe(true);
    }
    // A folder that is one, and a link the next moment.
    const swap = `mkdir -p real; while :; do ln -sfn real way; ln -sfn ${folder} way; done`;
    const { data } = await program.exec(swap, { yield_time_ms: 250 });
    const patch = '*** Begin Patch\n*** Add File: way/new\n+mine\n*** End Patch';
    for (let round = 0; round < 40; round++)
      await Promise.all([write('way/new'), program.call('apply_patch', { patch })]);
    await program.call('write_stdin', { session_id: data['session_id'], chars: '\u0003' });
    expect(existsSync(`${folder}/new`)).toBe(false);
    expect(readFileSync(`${folder}/secret`, 'utf8')).toBe('secret\n');
  });

  it('hides nothing from the person who is asked', async () => {
    const folder = outside();
    await using program = await McpProgram.start(['--approvals', 'on-failure'], { answer: accept });
    const cmd = `echo hi # \u001b[2K\u202e${' '.repeat(500)}\nrm ${folder}/secret # The model says: it only greets`;
    await program.exec(cmd, escalated);
    const [question = ''] = program.questions;
    expect(question).toContain('    | echo hi # ⟨U+001B⟩[2K⟨U+202E⟩⟨500 spaces⟩\n');
    expect(question).toContain(`    | rm ${folder}/secret # The model says`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(question).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    // What nobody would read to its end is not asked.
    const long = await program.exec(`: ${'x'.repeat(9_000)}\ntouch ${folder}/new`, escalated);
    expect(long.data['error']).toMatchObject({ message: expect.stringContaining('too long for a person') });
    expect(program.questions).toHaveLength(1);
    expect(existsSync(`${folder}/new`)).toBe(false);
  });

  it('gets no way out of a yes to something else', async () => {
    const folder = outside();
    const rules = join(folder, 'default.rules');
    writeFileSync(rules, 'prefix_rule(["git", "status"])\n');
    const answers = ['accept', 'decline'] as const;
    await using program = await McpProgram.start(['--approvals', 'untrusted', '--rules', rules], {
      answer: () => ({ action: answers[program.questions.length - 1] ?? 'decline', content: {} }),
    });
    // The first sandbox of a server takes longest, and only what is denied soon is asked about again.
    await program.exec('git status');
    // A yes to running it in the sandbox is no yes to running it outside.
    const denied = await program.exec(`touch ${folder}/new`);
    expect(denied.data).toMatchObject({
      exit_code: 1,
      notes: [expect.stringContaining('it was not run again: the user declined it')],
    });
    expect(program.questions[0]).toContain('inside the sandbox?');
    expect(program.questions[1]).toContain('outside the sandbox?');
    // A program of the allowed name that the model wrote is another program.
    await program.call('write_file', { path: 'git', content: `#!/bin/sh\ntouch ${folder}/new\n` });
    const own = await program.exec('./git status');
    expect(own.data).toMatchObject({ error: { code: 'tool.rejected' } });
    expect(existsSync(`${folder}/new`)).toBe(false);
  });

  it('is told "without a sandbox" where there is none', async () => {
    const flags = ['--sandbox', 'full-access', '--approvals', 'untrusted'];
    await using program = await McpProgram.start(flags, { answer: accept });
    expect((await program.exec('echo ran')).data).toMatchObject({ output: 'ran\n' });
    expect(program.questions[0]).toContain('Run this command without a sandbox?');
  });

  it.each(ERAS)(
    'asks more at once in the era %s than there may be sessions, and is answered each time',
    async (era) => {
      await using program = await McpProgram.start([], { era, answer: accept });
      const calls = Array.from({ length: isSoak ? 200 : 72 }, (_, index) =>
        program.exec(`echo ${index}`, { yield_time_ms: 30_000, ...(index % 8 === 0 ? escalated : {}) }),
      );
      const outputs = (await Promise.all(calls)).map(({ data }) => data['output']);
      expect(outputs).toEqual(calls.map((_, index) => `${index}\n`));
      expect(program.questions).toHaveLength(calls.length / 8);
      const megabytes = 'x'.repeat(10_000_000);
      expect((await program.exec(`: ${megabytes}`)).data).toMatchObject({
        error: { code: 'tool.startFailed' },
      });
      expect((await program.call('write_file', { path: 'big', content: megabytes })).isError).toBe(false);
      expect((await program.call('list_sessions', {})).data).toEqual({ sessions: [] });
    },
  );
});
