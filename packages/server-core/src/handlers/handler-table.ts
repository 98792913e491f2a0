// The shape every slice's handlers have. A handler translates between the wire and its slice and holds no logic.
import type { ClientRequestMethod, ParamsOf, ResultOf, WireResult } from '@codex/exec-protocol';
import type { ObserverContext, RequestContext } from '../request-context.js';

export type { ObserverContext, RequestContext, SliceKey } from '../request-context.js';

type MaybePromise<T> = T | Promise<T>;

export type Handler<M extends ClientRequestMethod> = (
  params: ParamsOf<M>,
  context: RequestContext,
) => MaybePromise<ResultOf<M> | WireResult>;

export type Handlers = { readonly [M in ClientRequestMethod]?: Handler<M> };

export type ObserverHandler<M extends ClientRequestMethod> = (
  params: ParamsOf<M>,
  context: ObserverContext,
) => MaybePromise<ResultOf<M> | WireResult>;

/** The methods of observers: those that ask for another grant than `own`. */
export type ObserverHandlers = { readonly [M in ClientRequestMethod]?: ObserverHandler<M> };
