import { describe, expect, it } from 'vitest';
import { NO_SANDBOX, sandboxPlan } from './sandbox-plan.js';

const place = { info: { shell: { name: 'bash', path: '/bin/bash' } }, cwd: '/project' } as const;
const root = { path: { type: 'root' }, access: 'read' } as const;
const secret = { path: { type: 'path', path: '/secret' }, access: 'deny' } as const;
const restricted = (...entries: (typeof root | typeof secret)[]) =>
  ({ fileSystem: { type: 'restricted', entries }, network: 'restricted' }) as const;

describe('the sandbox of attempts', () => {
  it('is none where none was asked for', () => {
    expect(sandboxPlan(undefined, place)).toBe(NO_SANDBOX);
  });

  it('has the folder of the tool as its workspace', () => {
    const plan = sandboxPlan(restricted(root), place);
    expect(plan).toMatchObject({
      first: { cwd: 'file:///project', workspaceRoots: ['file:///project'] },
      escalated: undefined,
      restrictsFiles: true,
      restrictsNetwork: true,
      mayRetry: true,
    });
  });

  it('keeps what may not be read, also for a command that was let out', () => {
    const plan = sandboxPlan(restricted(root, secret), place);
    expect(plan.mayRetry).toBe(false);
    expect(plan.escalated).toMatchObject({
      permissions: {
        network: 'enabled',
        file_system: {
          entries: [
            { path: { value: { kind: 'root' } }, access: 'write' },
            { path: { path: 'file:///secret' }, access: 'deny' },
          ],
        },
      },
    });
  });

  it('that is off restricts nothing and denies nothing', () => {
    const plan = sandboxPlan({ fileSystem: { type: 'unrestricted' }, network: 'enabled' }, place);
    expect(plan).toMatchObject({ restrictsFiles: false, restrictsNetwork: false, mayRetry: false });
  });
});
