// The shape every slice's handlers have. A handler translates between the wire and its slice and holds no logic.
import type { ClientRequestMethod, ParamsOf, ResultOf, WireResult } from '@codex/exec-protocol';
import type { RequestContext } from '../request-context.js';

export type { RequestContext, SliceKey } from '../request-context.js';

type MaybePromise<T> = T | Promise<T>;

export type Handler<M extends ClientRequestMethod> = (
  params: ParamsOf<M>,
  context: RequestContext,
) => MaybePromise<ResultOf<M> | WireResult>;

export type Handlers = { readonly [M in ClientRequestMethod]?: Handler<M> };
