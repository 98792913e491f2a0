// A connection between the CLI and a server that a script can cut.
import type { TurnScript } from '../cli/play-turn.js';
import { playOnOurs } from '../compare/both-servers.js';
import { CuttingProxy } from './cutting-proxy.js';

/** A way to the server that the script can cut. */
export class CuttableWay {
  proxy: CuttingProxy | undefined;

  readonly address = async (url: string) => {
    await this.proxy?.close();
    this.proxy = await CuttingProxy.start(url);
    return { via: 'variable', url: this.proxy.url } as const;
  };

  cut(): void {
    this.proxy?.cut();
  }
}

export async function withWay(play: (way: CuttableWay) => Promise<void>): Promise<void> {
  const way = new CuttableWay();
  try {
    await play(way);
  } finally {
    await way.proxy?.close();
  }
}

/** What only our server promises. */
export function onOurs(script: (way: CuttableWay) => TurnScript): Promise<void> {
  return withWay((way) => playOnOurs(script(way), { address: way.address }));
}
