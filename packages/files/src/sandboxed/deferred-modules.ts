// The parts that the first sandboxed request loads. A server loads them soon after its start, so that it stays whole when
// its files are replaced under it.

export async function loadSandboxedFiles(): Promise<void> {
  await Promise.all([
    import('@codex/sandbox'),
    import('./pool/helper-pool.js'),
    import('./policy/requested-policy.js'),
    import('./watch/sandboxed-watcher.js'),
  ]);
}
