// A server that someone else runs. What it can do beyond the common protocol it announces, or the command line says.
import { announcedFeatures } from './announced-features.js';
import type { Target } from './target.js';

export interface UrlOptions {
  readonly features: readonly string[];
}

export async function urlTarget(url: string, { features }: UrlOptions): Promise<Target> {
  return {
    name: url,
    features: new Set([...features, ...(await announcedFeatures(url))]),
    expected: [],
    async start() {
      return { url, hasEnded: () => false, stop: async () => {} };
    },
  };
}
