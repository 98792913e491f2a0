// Holds results and notifications against the published schemas.
import type { ReceivedMessage } from './message.js';

export function payloadFaults(_message: ReceivedMessage, _method: string | undefined): string[] {
  return [];
}
