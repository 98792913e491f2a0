// Loads what the first sandboxed request needs. A server calls it soon after its start, so that it keeps working when
// its files are replaced by an upgrade.

export async function loadSandboxedFiles(): Promise<void> {
  await Promise.all([
    import('@codex/sandbox'),
    import('./pool/helper-pool.js'),
    import('./policy/requested-policy.js'),
    import('./watch/sandboxed-watcher.js'),
  ]);
}
