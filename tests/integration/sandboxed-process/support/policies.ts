// Policies as they stand on the wire, and commands that try them.

const special = (kind: string) => ({ type: 'special', value: { kind } });
const readAll = { path: special('root'), access: 'read' };

export interface PolicyOptions {
  readonly network?: 'restricted' | 'enabled';
  readonly entries?: readonly unknown[];
}

function managed(entries: readonly unknown[], network: string): Record<string, unknown> {
  return {
    permissions: { type: 'managed', file_system: { type: 'restricted', entries }, network },
    windowsSandboxLevel: 'disabled',
  };
}

export const readOnlySandbox = ({ network = 'restricted', entries = [] }: PolicyOptions = {}) =>
  managed([readAll, ...entries], network);

export const workspaceSandbox = (
  root: string,
  { network = 'restricted', entries = [] }: PolicyOptions = {},
) => ({
  ...managed([readAll, { path: special('project_roots'), access: 'write' }, ...entries], network),
  cwd: `file://${root}`,
  workspaceRoots: [`file://${root}`],
});

export const plainSandbox = (permissions: unknown) => ({ permissions, windowsSandboxLevel: 'disabled' });
