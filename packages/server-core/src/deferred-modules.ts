// The parts that are loaded on first use, so that the server is ready early. Loading them soon afterwards keeps a
// running server whole when its files are replaced under it, as an upgrade does.
import { loadSandboxedFiles } from '@codex/exec-files';

export async function loadDeferredModules(): Promise<void> {
  await Promise.all([
    import('@codex/sandbox'),
    import('./capability/installed/discover-installed.js'),
    import('./environment-config/read-environment-config.js'),
    import('./http/http-transport.js'),
    loadSandboxedFiles(),
  ]);
}
