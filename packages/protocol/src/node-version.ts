// Which Node is too old. One that lacks what every connection needs (a global `crypto`) would fail later, in words about
// something else. What runs on another engine and only names a version of Node is not judged by that.
import { runtime } from './runtime.js';

const OLDEST_MAJOR = 20;

/** A sentence about the Node that this runs on when nothing here works on it, otherwise undefined. */
export function oldNodeComplaint(): string | undefined {
  const { node, bun, deno } = runtime.process?.versions ?? {};
  if (node === undefined || bun !== undefined || deno !== undefined) return undefined;
  if (Number.parseInt(node, 10) >= OLDEST_MAJOR) return undefined;
  return `this needs Node 20.19 or newer, and this is Node ${node}: install a newer one and try again`;
}
