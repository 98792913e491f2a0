// Runs one file: its names are resolved, then its statements are executed within a budget.

import { ExecPolicyError } from '../exec-policy-error.js';
import type { ComprehensionNode, Expression, FunctionNode, Statement } from '../parse/ast.js';
import { parseFile } from '../parse/parse-file.js';
import { type ResolvedNames, resolveNames } from '../resolve/resolve-names.js';
import type { SourceText } from '../source/source-text.js';
import { Budget } from './budget.js';
import { evaluateExpression } from './evaluate-expression.js';
import { executeStatement } from './execute-statement.js';
import { Fault, mistake } from './fault.js';
import type { Completion, Machine } from './machine.js';
import { Scope } from './scope.js';
import { type Arguments, described, FunctionValue, type Value } from './value.js';

/** `builtins` are all that a file can call and has not defined. */
export function runFile(source: SourceText, builtins: ReadonlyMap<string, Value>): void {
  const body = parseFile(source);
  const names = resolveNames(source, body, new Set(builtins.keys()));
  const interpreter = new Interpreter(names);
  try {
    interpreter.start(body, builtins);
  } catch (error) {
    if (error instanceof Fault) throw source.error(error.code, error.message, interpreter.position);
    // The bounds above are meant to come first; the stack of this program is the last one.
    if (error instanceof RangeError) {
      throw new ExecPolicyError('RULES_LIMIT', 'nested too deep', source.placeOf(interpreter.position));
    }
    throw error;
  }
}

class Interpreter implements Machine {
  readonly budget = new Budget();
  readonly #names: ResolvedNames;
  position = 0;

  constructor(names: ResolvedNames) {
    this.#names = names;
  }

  start(body: readonly Statement[], builtins: ReadonlyMap<string, Value>): void {
    const outermost = new Scope(new Set(builtins.keys()), undefined, new Map(builtins));
    this.run(body, new Scope(this.#names.file, outermost));
  }

  evaluate(node: Expression, scope: Scope): Value {
    this.budget.enter();
    const value = evaluateExpression(node, scope, this);
    this.budget.leave();
    return value;
  }

  run(body: readonly Statement[], scope: Scope): Completion {
    this.budget.enter();
    let completion: Completion;
    for (const statement of body) {
      this.budget.step();
      completion = executeStatement(statement, scope, this);
      if (completion !== undefined) break;
    }
    this.budget.leave();
    return completion;
  }

  call(callee: Value, args: Arguments): Value {
    if (!(callee instanceof FunctionValue)) throw mistake(`${described(callee)} cannot be called`);
    return callee.invoke(args, this);
  }

  declaredIn(node: FunctionNode | ComprehensionNode): ReadonlySet<string> {
    return this.#names.inner.get(node) ?? new Set();
  }
}
