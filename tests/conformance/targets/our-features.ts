// What our own server is held to: every extension that a requirement asks for. Nothing of it is ever skipped.
import { REQUIREMENTS } from '../requirements/manifest.js';

export function ourExtensions(): string[] {
  const needs = [...REQUIREMENTS.values()].flatMap(({ needs = [] }) => needs);
  return [...new Set(needs.filter((need) => need.startsWith('extension:')))];
}
