// What every file operation needs: the session, what the server can do, and one way to ask and to fail.

import type { ClientRequestMethod, ParamsOf, ResultOf, SandboxContext } from '@codex/exec-protocol';
import type { Capabilities } from '../capabilities.js';
import { fsFailure } from '../rpc-failure.js';
import type { CallOptions, SessionLink } from '../session/session-link.js';
import { remotePath, toFileUri } from './remote-path.js';

export interface FsOptions {
  readonly sandbox?: SandboxContext;
  /** Ends the call; whether the server still does it is not known. */
  readonly signal?: AbortSignal;
}

export class FsContext {
  readonly link: SessionLink;
  readonly capabilities: Capabilities;

  constructor(link: SessionLink, capabilities: Capabilities) {
    this.link = link;
    this.capabilities = capabilities;
  }

  absolute(path: string): string {
    return remotePath(path, this.link.info);
  }

  uri(path: string): string {
    return toFileUri(this.absolute(path));
  }

  /** Failures are told about `path`. */
  async call<M extends ClientRequestMethod>(
    method: M,
    params: ParamsOf<M>,
    { path, ...options }: CallOptions & { readonly path: string },
  ): Promise<ResultOf<M>> {
    try {
      return await this.link.call(method, params, options);
    } catch (error) {
      throw fsFailure(error, method, path);
    }
  }
}

/** The members of a request that come from the options. */
export function sandboxOf({ sandbox }: FsOptions): { readonly sandbox?: SandboxContext } {
  return sandbox === undefined ? {} : { sandbox };
}
