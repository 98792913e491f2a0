// The policy that a coding agent works under: everything readable, its own folder writable, no network.

export function workspaceSandbox(root: string): unknown {
  const special = (kind: string) => ({ type: 'special', value: { kind } });
  const entries = [
    { path: special('root'), access: 'read' },
    { path: special('project_roots'), access: 'write' },
  ];
  return {
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries },
      network: 'restricted',
    },
    windowsSandboxLevel: 'disabled',
    cwd: `file://${root}`,
    workspaceRoots: [`file://${root}`],
  };
}
