// Holds results and notifications against the published schemas. A method that the schemas do not have is left alone:
// other servers have families of their own.
import { isClientRequest, isMethod, METHODS, type ServerNotificationMethod } from '@codex/exec-protocol';
import { validateNotification, validateResult } from '@codex/exec-protocol/validate-messages';
import { base64Faults } from './base64-members.js';
import type { ReceivedMessage } from './message.js';

/** `method` is that of the request for a reply, and that of the message for a notification. */
export function payloadFaults(message: ReceivedMessage, method: string | undefined): string[] {
  if (method === undefined || message.error !== undefined) return [];
  const validation = validate(message, method);
  if (!validation.ok) return [`${method} does not match its schema (${validation.message})`];
  return base64Faults(message.method === undefined ? message.result : message.params);
}

function validate(message: ReceivedMessage, method: string): ReturnType<typeof validateResult> {
  if (message.method === undefined) {
    return isClientRequest(method) ? validateResult(method, message.result) : { ok: true };
  }
  return isServerNotification(method) ? validateNotification(method, message.params) : { ok: true };
}

function isServerNotification(method: string): method is ServerNotificationMethod {
  return isMethod(method) && METHODS[method].direction === 'serverToClient';
}
