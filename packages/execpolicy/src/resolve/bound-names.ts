// The names that a body binds: assigned, looped over, or defined. Those inside a nested function are its own.

import type { Statement, Target } from '../parse/ast.js';

export function boundNames(body: readonly Statement[], names: Set<string> = new Set()): Set<string> {
  for (const statement of body) {
    switch (statement.kind) {
      case 'assign':
      case 'update':
        addTarget(statement.target, names);
        break;
      case 'for':
        addTarget(statement.target, names);
        boundNames(statement.body, names);
        break;
      case 'if':
        for (const branch of statement.branches) boundNames(branch.body, names);
        boundNames(statement.otherwise, names);
        break;
      case 'def':
        names.add(statement.definition.name);
        break;
      case 'expression':
      case 'return':
      case 'break':
      case 'continue':
      case 'pass':
        break;
    }
  }
  return names;
}

export function addTarget(target: Target, names: Set<string>): void {
  if (target.kind === 'name') names.add(target.name);
  else if (target.kind === 'unpack') for (const inner of target.targets) addTarget(inner, names);
}
