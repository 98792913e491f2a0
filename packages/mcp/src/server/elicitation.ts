// Questions as the protocol has them: a form, sent as a request of the server where the revision has such requests.

import type { ClientCapabilities, ElicitRequestFormParams, Server } from '@modelcontextprotocol/server';
import type { Answer, Question } from './description.js';
import { answerFrom } from './tool-run.js';

/** A person may take as long as the client lets them: the longest that a timer can wait, 24 days. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** A client that names no kind of form means the plain one. */
export function canElicit(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

export function formOf({ message, fields = {}, required }: Question): ElicitRequestFormParams {
  // The fields are JSON Schemas of a tool of ours; the SDK checks them when it sends them.
  const properties = fields as ElicitRequestFormParams['requestedSchema']['properties'];
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties,
      ...(required === undefined ? {} : { required: [...required] }),
    },
  };
}

/** An abort withdraws the question at the client; an answer that comes all the same goes nowhere. */
export async function askByRequest(server: Server, question: Question, signal: AbortSignal): Promise<Answer> {
  if (signal.aborted) return { action: 'withdrawn' };
  try {
    const params = { ...formOf(question) };
    const response = await server.request(
      { method: 'elicitation/create', params },
      { signal, timeout: NO_TIMEOUT_MS },
    );
    return answerFrom(response);
  } catch (error) {
    if (isAborted(signal)) return { action: 'withdrawn' };
    return { action: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
