// The interface of the interpreter as its own parts see it, which breaks the import cycle between them.

import type { ComprehensionNode, Expression, FunctionNode, Statement } from '../parse/ast.js';
import type { Budget } from './budget.js';
import type { Scope } from './scope.js';
import type { Arguments, Value } from './value.js';

/** How a body ended: `undefined` when it ran to its end. */
export type Completion = undefined | 'break' | 'continue' | { readonly returned: Value };

export interface Machine {
  readonly budget: Budget;
  /** The offset that an error would be about right now. */
  position: number;
  evaluate(node: Expression, scope: Scope): Value;
  run(body: readonly Statement[], scope: Scope): Completion;
  call(callee: Value, args: Arguments): Value;
  declaredIn(node: FunctionNode | ComprehensionNode): ReadonlySet<string>;
}
