// What our own server is held to: every extension that a requirement asks for. Nothing of it is ever skipped.
import { REQUIREMENTS } from '../requirements/manifest.js';

/** What cannot be had over a broker, which carries text. */
const WITHOUT_BROKER = new Set(['extension:binaryPayloads']);

export function extensionsOverBroker(): string[] {
  return ourExtensions().filter((extension) => !WITHOUT_BROKER.has(extension));
}

export function ourExtensions(): string[] {
  const needs = [...REQUIREMENTS.values()].flatMap(({ needs = [] }) => needs);
  return [...new Set(needs.filter((need) => need.startsWith('extension:')))];
}
