import { describe, expect, it } from 'vitest';
import { execRequest, openedFile, step, stepsTo } from '../../test-support/exec-requests.js';
import type { ExecRequest } from '../broker/exec-request.js';
import { type FileFacts, trustProgram } from './program-trust.js';

interface Host {
  readonly writable?: readonly string[];
  readonly listed?: readonly string[];
  readonly facts?: FileFacts | 'gone';
}

const PLAIN: FileFacts = { links: 1, device: 1, isOwnToWrite: true };

function trust(
  request: ExecRequest,
  { writable = ['/project', '/tmp'], listed = [], facts = PLAIN }: Host = {},
) {
  return trustProgram(request, {
    isWritable: (path) => writable.some((root) => path === root || path.startsWith(`${root}/`)),
    writableDevices: new Set([1]),
    listedPaths: new Set(listed),
    isReplacement: ({ path }) => path === '/usr/bin/bash',
    factsOf: () => (facts === 'gone' ? undefined : facts),
  });
}

const git = execRequest(['git'], { file: '/usr/bin/git' });
const reasonOf = (request: ExecRequest, host?: Host) => {
  const result = trust(request, host);
  return result.isTrusted ? 'trusted' : result.reason;
};

describe('trustProgram', () => {
  it('trusts a file that cannot be written, nor anything on the way', () => {
    expect(reasonOf(git)).toBe('trusted');
  });

  it.each([
    ['the file itself', ['/usr/bin/git']],
    ['its folder', ['/usr/bin']],
    ['a folder above', ['/usr']],
    ['everything', ['']],
  ])('does not when the sandbox can write to %s', (_, writable) => {
    expect(reasonOf(git, { writable })).toMatch(/^the sandbox can write to \//);
  });

  it('does not trust a file of the right name in the workspace', () => {
    expect(trust(execRequest(['git'], { file: '/project/git' }))).toEqual({
      isTrusted: false,
      reason: 'the sandbox can write to /project',
      canBeListed: true,
    });
  });

  it('does not trust a link that can be changed, wherever it leads now', () => {
    const steps = [
      step('/', 'folder'),
      step('/project', 'folder'),
      step('/project/git', 'link'),
      ...stepsTo('/usr/bin/git'),
    ];
    const request = execRequest(['git'], {
      file: '/project/git',
      program: { state: 'opened', files: [openedFile('/usr/bin/git', steps)] },
    });
    expect(reasonOf(request)).toBe('the sandbox can write to /project');
  });

  it('does not trust a script whose interpreter can be written', () => {
    const files = [openedFile('/usr/bin/tool'), openedFile('/project/python')] as const;
    const request = execRequest(['tool'], { program: { state: 'opened', files } });
    expect(reasonOf(request)).toBe('the sandbox can write to /project');
    // Listing the script does not vouch for the interpreter.
    expect(reasonOf(request, { listed: ['/usr/bin/tool'] })).toBe('the sandbox can write to /project');
    expect(reasonOf(request, { listed: ['/project/python'] })).toBe('trusted');
  });

  it('does not trust what is another thing outside of the sandbox', () => {
    const replaced = stepsTo('/usr/bin/git').map((one) =>
      one.kind === 'file' ? { ...one, isOnHost: false } : one,
    );
    const mounted = stepsTo('/usr/bin/git').map((one) =>
      one.path === '/usr/bin' ? { ...one, isOnHost: false } : one,
    );
    for (const steps of [replaced, mounted]) {
      const program = { state: 'opened', files: [openedFile('/usr/bin/git', steps)] } as const;
      expect(reasonOf(execRequest(['git'], { program }))).toContain('outside of the sandbox');
    }
    // The operator's list is about the file of the host.
    const program = { state: 'opened', files: [openedFile('/usr/bin/git', replaced)] } as const;
    expect(reasonOf(execRequest(['git'], { program }), { listed: ['/usr/bin/git'] })).not.toBe('trusted');
  });

  it('trusts an interpreter in whose place the sandbox shows our own, and not that one as a program', () => {
    const shown = stepsTo('/usr/bin/bash').map((one) =>
      one.kind === 'file' ? { ...one, isOnHost: false } : one,
    );
    const bash = openedFile('/usr/bin/bash', shown);
    const script = { state: 'opened', files: [openedFile('/usr/bin/tool'), bash] } as const;
    expect(reasonOf(execRequest(['tool'], { program: script }))).toBe('trusted');
    const program = { state: 'opened', files: [bash] } as const;
    expect(reasonOf(execRequest(['bash'], { program }))).not.toBe('trusted');
    const writable = ['/usr/bin/bash'];
    expect(reasonOf(execRequest(['tool'], { program: script }), { writable })).not.toBe('trusted');
  });

  it('trusts what host_executable lists, by the path that was given or where it leads', () => {
    const own = execRequest(['tool'], {
      file: './tool',
      workdir: '/project',
      realPath: '/project/real/tool',
    });
    expect(reasonOf(own)).not.toBe('trusted');
    expect(reasonOf(own, { listed: ['/project/tool'] })).toBe('trusted');
    expect(reasonOf(own, { listed: ['/project/real/tool'] })).toBe('trusted');
    expect(reasonOf(own, { listed: ['/project/other/tool'] })).not.toBe('trusted');
  });

  it('takes a name for that of the file only where nothing on the way can be made to lead elsewhere', () => {
    const asCalled = (request: ExecRequest, host?: Host) => {
      const result = trust(request, host);
      return result.isTrusted && result.isAsCalled === true;
    };
    const link = (isOnHost: boolean) => step('/usr/bin/other', 'link', isOnHost);
    const called = (isOnHost: boolean) =>
      execRequest(['other'], {
        program: {
          state: 'opened',
          files: [openedFile('/usr/bin/git', [link(isOnHost), ...stepsTo('/usr/bin/git')])],
        },
      });
    const listed = ['/usr/bin/git'];
    expect(asCalled(called(true))).toBe(true);
    expect(asCalled(called(true), { listed })).toBe(true);
    expect(asCalled(called(true), { listed, writable: ['/usr/bin/other'] })).toBe(false);
    // Such a link could have the name of whatever else rules allow.
    const own = { listed, writable: ['/usr/bin/other'] };
    expect(reasonOf(called(true), own)).toBe('it was called as other, by a link that the sandbox can change');
    expect(reasonOf(called(true), { ...own, listed: ['/usr/bin/other'] })).toBe('trusted');
    expect(asCalled(called(false), { listed })).toBe(false);
  });

  it('does not trust a listed program that is told of a place beside a link that can be changed', () => {
    const linked = (name: string, more: readonly string[] = []) =>
      execRequest([name], {
        file: '/project/own/git',
        program: {
          state: 'opened',
          files: [
            openedFile('/usr/bin/git', [step('/project/own/git', 'link'), ...stepsTo('/usr/bin/git')]),
            ...more.map((path) => openedFile(path)),
          ],
        },
      });
    const listed = ['/usr/bin/git'];
    expect(reasonOf(linked('/project/own/git'), { listed })).toMatch(/^it is told that it lies at \/project/);
    expect(reasonOf(linked('git'), { listed })).toBe('trusted');
    expect(reasonOf(linked('/project/own/git'), { listed: [...listed, '/project/own/git'] })).toBe('trusted');
    // A step back leads elsewhere for the program, which takes it by its spelling.
    const back = { ...linked('./x/../own/git'), file: './x/../own/git' };
    expect(reasonOf(back, { listed })).toMatch(/^it is told that it lies at .\/x/);
    // A script is told where it lies.
    expect(reasonOf(linked('/project/own/git', ['/bin/sh']), { listed })).toBe('trusted');
  });

  it('does not take a step back by its spelling: behind a link it leads elsewhere', () => {
    const back = execRequest(['tool'], {
      file: '/project/link/../../opt/tool',
      realPath: '/project/opt/tool',
    });
    expect(reasonOf(back, { listed: ['/opt/tool'] })).not.toBe('trusted');
    expect(reasonOf(back, { listed: ['/project/opt/tool'] })).toBe('trusted');
  });

  it('does not trust a file with a second name that may be writable', () => {
    expect(reasonOf(git, { facts: { ...PLAIN, links: 2 } })).toContain('hard link');
    expect(reasonOf(git, { facts: { ...PLAIN, links: 2, isOwnToWrite: false } })).toBe('trusted');
    expect(reasonOf(git, { facts: { ...PLAIN, links: 2, device: 7 } })).toBe('trusted');
  });

  it('does not trust what was replaced since it was opened', () => {
    expect(reasonOf(git, { facts: 'gone' })).toBe('/usr/bin/git has changed');
  });

  it.each(['missing', 'denied', 'proc', 'depth', 'not-a-file', 'process-gone'] as const)(
    'does not trust what could not be opened: %s',
    (reason) => {
      expect(trust(execRequest(['git'], { program: { state: 'unopened', reason } })).isTrusted).toBe(false);
    },
  );

  it('does not run outside what works in a folder that is not there', () => {
    const request = { ...git, workdir: { path: '/private', isOnHost: false } };
    expect(reasonOf(request)).toContain('/private');
  });

  it('does not trust a chain that does not end at the file', () => {
    const program = {
      state: 'opened',
      files: [openedFile('/usr/bin/git', stepsTo('/usr/bin/other'))],
    } as const;
    expect(reasonOf(execRequest(['git'], { program }))).toContain('could not be followed');
  });
});
