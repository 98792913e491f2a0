// Every requirement of the suite, and the type of their ids: an unknown id in a suite does not compile.
import { BINARY } from './binary.js';
import { DISCOVERY } from './discovery.js';
import { ENVELOPE } from './envelope.js';
import { ENVIRONMENT } from './environment.js';
import { FS } from './fs.js';
import { HTTP } from './http.js';
import { OBSERVE } from './observe.js';
import { PROCESS } from './process.js';
import type { Requirement } from './requirement.js';
import { SESSION } from './session.js';
import { TRANSPORT } from './transport.js';

const MANIFEST = [
  ...SESSION,
  ...ENVELOPE,
  ...TRANSPORT,
  ...ENVIRONMENT,
  ...PROCESS,
  ...FS,
  ...HTTP,
  ...DISCOVERY,
  ...OBSERVE,
  ...BINARY,
] as const;

export type RequirementId = (typeof MANIFEST)[number]['id'];

export const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(
  MANIFEST.map((requirement) => [requirement.id, requirement]),
);

/** Ids that appear twice in the manifest; a map alone would hide them. */
export function duplicateIds(): string[] {
  const ids = MANIFEST.map((requirement): string => requirement.id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
