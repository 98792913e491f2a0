// The files that a helper needs to be able to start: Node itself, the libraries it is linked with, the helper, and the
// static program that watches files for it. Exactly these are shown to it, so that nothing else of the system is readable because of it.
import { realpathSync } from 'node:fs';

export interface HelperCommand {
  /** The program and its arguments, up to the helper's own. */
  readonly argv: readonly string[];
  /** Files and folders of the helper that its sandbox has to show. */
  readonly files: readonly string[];
  /** Leaves what V8 compiles for the helper where later ones find it. Never run in a sandbox: what it leaves is run as code. */
  readonly compile?: readonly string[];
}

export function runtimeFiles(command: HelperCommand, launcherProgram: string | undefined): readonly string[] {
  const libraries = process.platform === 'linux' ? sharedObjects() : [];
  const programs = launcherProgram === undefined ? command.files : [...command.files, launcherProgram];
  return [...new Set([...libraries, ...programs].flatMap(withRealPath))];
}

/** As the loader names them: it finds them by these names again. */
function sharedObjects(): readonly string[] {
  const report = process.report as unknown as {
    excludeNetwork?: boolean;
    getReport(): { sharedObjects?: unknown };
  };
  const before = report.excludeNetwork ?? false;
  // Otherwise the report looks the names of network addresses up.
  report.excludeNetwork = true;
  const { sharedObjects: found } = report.getReport();
  report.excludeNetwork = before;
  const names: readonly unknown[] = Array.isArray(found) ? found : [];
  return names.filter((name): name is string => typeof name === 'string' && name.startsWith('/'));
}

function withRealPath(path: string): readonly string[] {
  try {
    return [realpathSync.native(path), path];
  } catch {
    return [];
  }
}
