// One received message and the rules every message of a server obeys, whatever it answers.

export type JsonObject = Readonly<Record<string, unknown>>;

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
}

export interface ReceivedMessage {
  /** The exact text, for what JSON.parse cannot keep (integers beyond 2^53). */
  readonly text: string;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: unknown;
  readonly error?: RpcFailure;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a frame of the server and names everything that is wrong with its envelope. */
export function readMessage(text: string): { message: ReceivedMessage; faults: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { message: { text }, faults: [`not JSON: ${String(error)}`] };
  }
  if (!isObject(value)) return { message: { text }, faults: ['not a JSON object'] };
  return { message: { ...value, text }, faults: envelopeFaults(value) };
}

function envelopeFaults(value: JsonObject): string[] {
  const faults: string[] = [];
  if ('jsonrpc' in value) faults.push('carries a `jsonrpc` member');
  const shape = Object.keys(value).sort().join(',');
  if (shape === 'error,id') faults.push(...errorFaults(value['error']));
  else if (shape === 'method,params') {
    if (typeof value['method'] !== 'string') faults.push('`method` is not a string');
    if (!isObject(value['params'])) faults.push('`params` of a notification is not an object');
  } else if (shape !== 'id,result' && shape !== 'id,method,params') faults.push(`has the members ${shape}`);
  if ('id' in value && typeof value['id'] !== 'string' && !Number.isInteger(value['id'])) {
    faults.push('`id` is neither a string nor an integer');
  }
  return faults;
}

function errorFaults(error: unknown): string[] {
  if (!isObject(error)) return ['`error` is not an object'];
  const faults: string[] = [];
  if (!Number.isInteger(error['code'])) faults.push('`error.code` is not an integer');
  if (typeof error['message'] !== 'string' || error['message'] === '')
    faults.push('`error.message` is empty');
  return faults;
}
