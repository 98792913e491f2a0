// Requests as the broker would make them, for tests of what decides about them.
import type { ExecRequest, OpenedFile, PathStep } from '../src/broker/exec-request.js';

interface RequestParts extends Partial<Omit<ExecRequest, 'workdir' | 'program'>> {
  /** Where links lead; the given file unless said otherwise. */
  readonly realPath?: string;
  readonly workdir?: string;
  readonly program?: ExecRequest['program'];
}

export function execRequest(argv: readonly string[], parts: RequestParts = {}): ExecRequest {
  const { realPath, workdir = '/project', program, ...rest } = parts;
  const file = rest.file ?? `/usr/bin/${argv[0] ?? ''}`;
  return {
    callId: 'call',
    requestId: 1,
    process: { pid: 1, startTime: '1' },
    file,
    argv,
    workdir: { path: workdir, isOnHost: true },
    environment: new Map(),
    isStartUp: false,
    isLossy: false,
    program: program ?? { state: 'opened', files: [openedFile(realPath ?? file)] },
    ...rest,
  };
}

export function openedFile(realPath: string, steps: readonly PathStep[] = stepsTo(realPath)): OpenedFile {
  return { realPath, givenPath: realPath, steps };
}

/** All folders from the root on, and the file. */
export function stepsTo(path: string): PathStep[] {
  const parts = path.split('/').slice(1);
  const folders = parts.map((_, index) => `/${parts.slice(0, index).join('/')}`);
  return [...folders.map((folder) => step(folder, 'folder')), step(path, 'file')];
}

export function step(path: string, kind: PathStep['kind'], isOnHost = true): PathStep {
  return { path, kind, device: 1n, inode: 1n, isOnHost, isName: kind !== 'folder' };
}
