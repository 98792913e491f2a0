// The state that every file operation shares: the session, the server's capabilities, and one way to send a request
// and to word its failure.

import type {
  ClientRequestMethod,
  ParamsWithPayload,
  ResultWithPayload,
  SandboxContext,
} from '@codex/exec-protocol';
import type { Capabilities } from '../capabilities.js';
import { remotePath, toFileUri } from '../remote-path.js';
import type { Result } from '../result.js';
import { fsFailure } from '../rpc-failure.js';
import type { RunOptions } from '../run/run-promise.js';
import { type SandboxOption, wireSandbox } from '../sandbox-option.js';
import type { CallOptions, SessionLink } from '../session/session-link.js';

export interface FsOptions {
  /** A policy of `@codex/sandbox`, or the wire's own form. Its workspace is the server's working directory. */
  readonly sandbox?: SandboxOption;
  /** Ends the call; whether the server still does it is not known. */
  readonly signal?: AbortSignal;
}

interface FsParts {
  readonly link: SessionLink;
  readonly capabilities: Capabilities;
  run(command: readonly string[], options: RunOptions): Promise<Result>;
}

export class FsContext {
  readonly link: SessionLink;
  readonly capabilities: Capabilities;

  readonly run: FsParts['run'];

  constructor({ link, capabilities, run }: FsParts) {
    this.link = link;
    this.capabilities = capabilities;
    this.run = run;
  }

  /** Whether files have permission bits there. */
  get hasModes(): boolean {
    return this.link.info.platformOs !== 'windows';
  }

  absolute(path: string): string {
    return remotePath(path, this.link.info);
  }

  uri(path: string): string {
    return toFileUri(this.absolute(path));
  }

  /** The members of a request that come from the options. */
  sandboxOf({ sandbox }: FsOptions): { readonly sandbox?: SandboxContext } {
    return sandbox === undefined ? {} : { sandbox: wireSandbox(sandbox, { info: this.link.info, cwd: '.' }) };
  }

  /** Failures are told about `path`. */
  async call<M extends ClientRequestMethod>(
    method: M,
    params: ParamsWithPayload<M>,
    { path, ...options }: CallOptions & { readonly path: string },
  ): Promise<ResultWithPayload<M>> {
    try {
      return await this.link.call(method, params, options);
    } catch (error) {
      throw fsFailure(error, method, path);
    }
  }
}
