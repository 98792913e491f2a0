// What can go wrong with a request, and how the wire says it. The sentences of the -32602 family are the peer's.
// No message holds a URL: they reach logs that others read, and URLs carry credentials.
import { CodedError, internalError, invalidParams, type RpcError } from '@codex/exec-protocol';

export type HttpErrorCode = 'HTTP_SEND_FAILED' | 'HTTP_BODY_FAILED' | 'HTTP_TIMED_OUT' | 'HTTP_DISCONNECTED';

export class HttpError extends CodedError<HttpErrorCode> {}

export const sendFailed = (reason: string, cause?: unknown): HttpError =>
  new HttpError('HTTP_SEND_FAILED', reason, { cause });

export const bodyFailed = (reason: string, cause?: unknown): HttpError =>
  new HttpError('HTTP_BODY_FAILED', reason, { cause });

export const timedOut = (timeoutMs: number): HttpError =>
  new HttpError('HTTP_TIMED_OUT', `timed out after ${timeoutMs} ms`);

export const disconnected = (): HttpError => new HttpError('HTTP_DISCONNECTED', 'the client disconnected');

export const invalidMethod = (reason: string) => invalidParams(`http/request method is invalid: ${reason}`);
export const invalidUrl = (reason: string) => invalidParams(`http/request url is invalid: ${reason}`);
export const unsupportedScheme = (scheme: string) =>
  invalidParams(`http/request only supports http and https URLs, got ${scheme}`);
export const invalidHeaderName = () =>
  invalidParams('http/request header name is invalid: invalid HTTP header name');
export const invalidHeaderValue = (name: string) =>
  invalidParams(`http/request header value is invalid for ${name}: failed to parse header value`);
export const headersTooLong = (limit: number) =>
  invalidParams(`http/request headers have more than ${limit} characters`);
export const protectedVariable = (header: string, variable: string) =>
  invalidParams(`http/request header ${header} cannot use executor environment variable ${variable}`);
export const missingVariable = (header: string, variable: string) =>
  invalidParams(`http/request header ${header} requires executor environment variable ${variable}`);
export const emptyVariable = (header: string, variable: string) =>
  invalidParams(
    `http/request header ${header} requires a non-empty executor environment variable ${variable}`,
  );
export const streamIdActive = (requestId: string) =>
  invalidParams(`http/request streamResponse requestId \`${requestId}\` is already active`);

export function sendErrorReply(error: unknown): RpcError {
  return internalError(`http/request failed: ${reasonOf(error)}`);
}

export function bodyErrorReply(error: unknown): RpcError {
  return internalError(`failed to read http/request response body: ${reasonOf(error)}`);
}

export const BROKEN_OFF = 'the connection ended before the body did';

/** One sentence about an error of Node's network stack; a host tried on several addresses gives several at once. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return BROKEN_OFF;
  if (error.message === 'aborted') return BROKEN_OFF;
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
