// Another client, which does nothing wrong and measures how long it waits for an answer while others attack.
import { WebSocket } from 'ws';
import { TOKEN } from './server-under-attack.js';

export class Bystander {
  readonly #socket: WebSocket;
  readonly #timer: NodeJS.Timeout;
  #asked = 0;
  #answered = 0;
  #sentAt = 0;
  longestWaitMs = 0;

  static async watch(url: string): Promise<Bystander> {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send('{"id":0,"method":"initialize","params":{"clientName":"bystander"}}');
    await new Promise((resolve) => socket.once('message', resolve));
    socket.send('{"method":"initialized"}');
    return new Bystander(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', () => {
      this.#answered++;
      this.longestWaitMs = Math.max(this.longestWaitMs, performance.now() - this.#sentAt);
    });
    this.#timer = setInterval(() => {
      if (this.#asked > this.#answered) return;
      this.#sentAt = performance.now();
      this.#socket.send(`{"id":${++this.#asked},"method":"environment/status","params":null}`);
    }, 5);
  }

  get answers(): number {
    return this.#answered;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#socket.terminate();
  }
}
