// The client in examples/python is run by a test, and the published schema is read by a validator that is not ours: both with
// the system's Python.
import { spawnSync } from 'node:child_process';
import { ensureDebianPackage } from './debian-package.mjs';

const canImport = (module) => spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status === 0;

export async function ensurePythonPackages() {
  await ensureDebianPackage('python3-websockets', {
    isThere: () => canImport('websockets'),
    why: 'the Python example is run',
    otherwise: 'its test fails',
  });
  await ensureDebianPackage('python3-jsonschema', {
    isThere: () => canImport('jsonschema'),
    why: 'the published schema is tried with it',
    otherwise: 'that test fails',
  });
}
