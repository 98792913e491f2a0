// What a server sends, checked by clients and conformance tests. A module of its own, so that a server does not
// load these validators.
import { type Expectations, explainFailure } from './errors/explain-failure.js';
import type { Validator } from './errors/validation-error.js';
import {
  integerTypes,
  notificationValidators,
  resultValidators,
  structNames,
  tagNames,
} from './generated/message-validators.js';
import type { ClientRequestMethod, ServerNotificationMethod } from './methods.js';
import type { Validation } from './validate-params.js';

const expectations: Expectations = { structs: structNames, integers: integerTypes, tags: tagNames };

function check(validator: Validator | undefined, value: unknown): Validation {
  if (validator === undefined) return { ok: false, message: 'no such message' };
  if (validator(value)) return { ok: true };
  return { ok: false, message: explainFailure(value, validator.errors, expectations) };
}

export function validateResult(method: ClientRequestMethod, value: unknown): Validation {
  return check(resultValidators.get(method), value);
}

export function validateNotification(method: ServerNotificationMethod, value: unknown): Validation {
  return check(notificationValidators.get(method), value);
}
