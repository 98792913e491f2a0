// Params of client requests and notifications, checked before any handler sees them. What a schema cannot say
// stands here: the two kinds of `process/start`, members that depend on each other, and the empty params. An entry
// point of its own, because the generated validators are most of this package and only a server needs them.
import { explainFailure } from './errors/explain-failure.js';
import { describeValue, unknownVariant } from './errors/serde-text.js';
import type { Validator } from './errors/validation-error.js';
import * as first from './generated/first-validators.js';
import * as others from './generated/params-validators.js';
import * as ofProcesses from './generated/process-validators.js';
import type { Method } from './methods.js';

export type Validation = { readonly ok: true } | { readonly ok: false; readonly message: string };

type Members = Readonly<Record<string, unknown>>;

const OK: Validation = Object.freeze({ ok: true });
const refuse = (message: string): Validation => ({ ok: false, message });

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Tables = Pick<typeof first, 'structNames' | 'integerTypes' | 'tagNames'>;

function check(validator: Validator, value: unknown, tables: Tables): Validation {
  if (validator(value)) return OK;
  const { structNames: structs, integerTypes: integers, tagNames: tags } = tables;
  return refuse(explainFailure(value, validator.errors, { structs, integers, tags }));
}

function checkNone(value: unknown): Validation {
  const isEmpty = isAbsent(value) || (isMembers(value) && Object.keys(value).length === 0);
  return isEmpty ? OK : refuse(`invalid type: ${describeValue(value)}, expected unit`);
}

/**
 * A sandbox that states no policy, or two, would leave it open which restriction holds; a policy of an older
 * client in a place that nothing reads would not hold at all.
 */
function checkSandbox(params: Members): Validation {
  const { sandbox, sandboxPolicy } = params;
  if (!isAbsent(sandboxPolicy)) return refuse('`sandboxPolicy` stands inside `sandbox`, not beside it');
  if (!isMembers(sandbox)) return OK;
  if (!isAbsent(sandbox['fileSystemSandboxPolicy'])) {
    return refuse('`fileSystemSandboxPolicy` is not supported: state the policy as `permissions`');
  }
  const isCurrent = Object.hasOwn(sandbox, 'permissions');
  const isLegacy = Object.hasOwn(sandbox, 'sandboxPolicy');
  if (isCurrent && isLegacy) return refuse('`permissions` and `sandboxPolicy` exclude each other');
  return isCurrent || isLegacy ? OK : refuse('missing field `permissions`');
}

/** `io` may stand beside the flat members for servers that know only those, but never against them. */
function checkIo({ io, tty, pipeStdin }: Members): Validation {
  if (!isMembers(io)) return OK;
  const isPty = io['type'] === 'pty';
  if (tty !== undefined && tty !== isPty) return refuse('`tty` contradicts `io`');
  if (!isPty && !isAbsent(pipeStdin) && pipeStdin !== (io['stdin'] === 'open')) {
    return refuse('`pipeStdin` contradicts `io`');
  }
  return OK;
}

/** A prepared request is started as it stands, so a restriction beside it would go unenforced. */
function checkPrepared(params: Members): Validation {
  for (const name of ['sandbox', 'sandboxPolicy', 'envPolicy', 'managedNetwork', 'networkProxy']) {
    if (!isAbsent(params[name])) return refuse(`\`${name}\` cannot be combined with a prepared request`);
  }
  return OK;
}

function checkStart(params: Members): Validation {
  const kind = Object.hasOwn(params, 'kind') ? params['kind'] : 'direct';
  const validator = typeof kind === 'string' ? ofProcesses.startValidators.get(kind) : undefined;
  if (validator === undefined) {
    if (typeof kind !== 'string') return refuse(`invalid type: ${describeValue(kind)}, expected a string`);
    return refuse(unknownVariant(kind, [...ofProcesses.startValidators.keys()]));
  }
  const shape = check(validator, params, ofProcesses);
  if (!shape.ok) return shape;
  if (kind === 'prepared') return checkPrepared(params);
  const io = checkIo(params);
  return io.ok ? checkSandbox(params) : io;
}

/** For every method a client sends. The message belongs into an invalid-params error. */
export function validateParams(method: Method, value: unknown): Validation {
  const struct = first.paramsStructs.get(method);
  if (struct === 'any') return OK;
  if (struct === 'none') return checkNone(value);
  if (!isMembers(value)) {
    return refuse(`invalid type: ${describeValue(value)}, expected struct ${struct ?? 'params'}`);
  }
  if (method === 'process/start') return checkStart(value);
  // Each module is loaded when it is first needed: all of them are longer than the rest of a server.
  const known = first.firstValidators.get(method);
  if (known !== undefined) return check(known, value, first);
  const isOfProcesses = method.startsWith('process/');
  const validator = isOfProcesses
    ? ofProcesses.processValidators.get(method)
    : others.paramsValidators.get(method);
  if (validator === undefined) return refuse(`\`${method}\` is not sent by clients`);
  const shape = check(validator, value, isOfProcesses ? ofProcesses : others);
  return shape.ok ? checkSandbox(value) : shape;
}
