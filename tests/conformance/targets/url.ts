// A server that someone else runs. What it can do beyond the common protocol is said on the command line.
import type { Target } from './target.js';

export interface UrlOptions {
  readonly features: readonly string[];
}

export function urlTarget(url: string, { features }: UrlOptions): Target {
  return {
    name: url,
    features: new Set(features),
    expected: [],
    async start() {
      return { url, hasEnded: () => false, stop: async () => {} };
    },
  };
}
