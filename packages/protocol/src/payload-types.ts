// The parameters and results of methods with their payloads as senders and receivers have them.
import type { ClientRequestMethod, METHODS, Method, ParamsOf, ResultOf } from './methods.js';
import type { Payload } from './wire/payload.js';

type PayloadMember<M extends Method> = (typeof METHODS)[M] extends { payload: infer Name } ? Name : never;

/** The parameters of a method, with bytes where the sender has them and the receiver got them. */
export type ParamsWithPayload<M extends Method> = [PayloadMember<M>] extends [never]
  ? ParamsOf<M>
  : { [Name in keyof ParamsOf<M>]: Name extends PayloadMember<M> ? Payload : ParamsOf<M>[Name] };

type PayloadPath<M extends Method> = (typeof METHODS)[M] extends { resultPayloads: readonly (infer Path)[] }
  ? Path
  : never;

/** The member of the elements of a list that is a payload. */
type ElementMember<List, Path> = List extends string
  ? Path extends `${List}[].${infer Member}`
    ? Member
    : never
  : never;

type PlacePayload<Value, Name, Path> = Name extends Path
  ? Payload
  : [ElementMember<Name, Path>] extends [never]
    ? Value
    : Value extends readonly (infer Element)[]
      ? readonly {
          [Member in keyof Element]: Member extends ElementMember<Name, Path> ? Payload : Element[Member];
        }[]
      : Value;

/** The result of a request as its caller gets it. */
export type ResultWithPayload<M extends ClientRequestMethod> = [PayloadPath<M>] extends [never]
  ? ResultOf<M>
  : { [Name in keyof ResultOf<M>]: PlacePayload<ResultOf<M>[Name], Name, PayloadPath<M>> };
