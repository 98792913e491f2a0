// Refuses what no kernel call could express, before anything is started.
import { isAbsolute } from 'node:path';
import { LaunchError } from './launch-error.js';
import type { LaunchSpec } from './launch-spec.js';

export function checkLaunchSpec(spec: LaunchSpec): void {
  if (spec.argv.length === 0) throw invalid('argv must not be empty');
  for (const [index, argument] of spec.argv.entries()) refuseNul(argument, `argv[${index}]`);
  if (spec.arg0 !== undefined) refuseNul(spec.arg0, 'arg0');
  refuseNul(spec.cwd, 'cwd');
  if (!isAbsolute(spec.cwd)) throw invalid(`cwd must be an absolute path: ${JSON.stringify(spec.cwd)}`);
  for (const [name, value] of Object.entries(spec.env)) {
    if (name === '' || name.includes('=')) throw invalid(`env name ${JSON.stringify(name)} is not possible`);
    refuseNul(name, 'an env name');
    refuseNul(value, `env ${name}`);
  }
  const targets = new Set([0, 1, 2]);
  const grants = spec.inheritFds ?? [];
  if (grants.filter((grant) => 'report' in grant).length > 1)
    throw invalid('inheritFds: more than one report');
  if (grants.filter((grant) => 'make' in grant).length > 1)
    throw invalid('inheritFds: more than one that is made later');
  if (grants.filter((grant) => 'settled' in grant).length > 1)
    throw invalid('inheritFds: more than one that tells of mounts');
  for (const path of spec.keptMounts ?? []) refuseNul(path, 'a path in keptMounts');
  for (const grant of grants) {
    if ('path' in grant) checkGrantedPath(grant.path);
    for (const as of 'make' in grant ? [grant.as, grant.gate] : [grant.as]) {
      if (!Number.isInteger(as) || as < 3 || as > 1023 || targets.has(as)) {
        throw invalid(`inheritFds: ${as} is not a free descriptor number between 3 and 1023`);
      }
      targets.add(as);
    }
  }
}

function checkGrantedPath(path: string): void {
  refuseNul(path, 'a path in inheritFds');
  if (!isAbsolute(path))
    throw invalid(`inheritFds: the path ${JSON.stringify(path)} must be an absolute path`);
}

function refuseNul(text: string, what: string): void {
  if (text.includes('\0')) throw invalid(`${what} contains a NUL byte`);
}

function invalid(message: string): LaunchError {
  return new LaunchError({ stage: 'spec', errno: 'EINVAL', message });
}
