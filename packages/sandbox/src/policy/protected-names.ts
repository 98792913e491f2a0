// Names that stay read-only directly below every writable directory, because programs outside the sandbox
// act on what is in them: git hooks, agent instructions, credentials.
export const defaultProtectedNames: readonly string[] = ['.git', '.agents', '.codex', '.aws'];
