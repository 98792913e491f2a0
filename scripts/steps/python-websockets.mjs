// The client in examples/python is run by a test, with the system's Python.
import { spawnSync } from 'node:child_process';
import { ensureDebianPackage } from './debian-package.mjs';

export const ensurePythonWebsockets = () =>
  ensureDebianPackage('python3-websockets', {
    isThere: () => spawnSync('/usr/bin/python3', ['-c', 'import websockets']).status === 0,
    why: 'the Python example is run',
    otherwise: 'its test fails',
  });
