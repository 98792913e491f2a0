import type { OpenFile } from '@codex/exec-files';
import { describe, expect, it } from 'vitest';
import { FileHandles } from './file-handles.js';

const limits = { maxOpenFiles: 3, maxHandleIdBytes: 32 };

function trackedFile() {
  const state = { closed: 0 };
  const file: OpenFile = {
    read: async () => ({ bytes: new Uint8Array(), eof: true }),
    write: async () => undefined,
    close: async () => {
      state.closed += 1;
    },
  };
  return { file, state };
}

describe('file handles', () => {
  it('takes an id while the file is still being opened', async () => {
    const handles = new FileHandles(limits);
    const { file } = trackedFile();
    const first = handles.open('a', async () => file);
    await expect(handles.open('a', async () => file)).rejects.toThrow('file handle `a` already exists');
    await first;
    expect(await handles.use('a', async (opened) => opened === file)).toBe(true);
  });

  it('frees the id of a file that could not be opened', async () => {
    const handles = new FileHandles(limits);
    const failing = handles.open('a', () => Promise.reject(new RangeError('no such file')));
    const used = handles.use('a', async () => undefined);
    await expect(failing).rejects.toThrow('no such file');
    await expect(used).rejects.toThrow('unknown file handle `a`');
    await handles.open('a', async () => trackedFile().file);
  });

  it('bounds ids by bytes and files by number', async () => {
    const handles = new FileHandles(limits);
    const open = (handleId: string) => handles.open(handleId, async () => trackedFile().file);
    await expect(open('é'.repeat(17))).rejects.toThrow('file handle ID must not exceed 32 bytes');
    await Promise.all(['', 'é'.repeat(16), 'c'].map(open));
    await expect(open('d')).rejects.toThrow('at most 3 file handles may be open per connection');
    await handles.close('c');
    await open('d');
  });

  it('closes a file only after its last user', async () => {
    const handles = new FileHandles(limits);
    const { file, state } = trackedFile();
    await handles.open('a', async () => file);
    let finish: () => void = () => undefined;
    const using = handles.use('a', () => new Promise<void>((resolve) => (finish = resolve)));
    await handles.close('a');
    await expect(handles.use('a', async () => undefined)).rejects.toMatchObject({ code: 'FS_NOT_FOUND' });
    expect(state.closed).toBe(0);
    finish();
    await using;
    expect(state.closed).toBe(1);
    await handles.close('a');
    expect(state.closed).toBe(1);
  });

  it('closes everything at the end, also what is opened later', async () => {
    const handles = new FileHandles(limits);
    const early = trackedFile();
    const late = trackedFile();
    let opened: (file: OpenFile) => void = () => undefined;
    await handles.open('early', async () => early.file);
    const pending = handles.open('late', () => new Promise((resolve) => (opened = resolve)));
    const ended = handles.closeAll();
    opened(late.file);
    await Promise.all([pending, ended]);
    expect([early.state.closed, late.state.closed]).toEqual([1, 1]);
  });
});
