// A new tab of the same console has no ticket: an open one gets it one. Only pages of this origin hear of it, and the name of
// the run is part of the origin.

const CHANNEL = 'exec-server.console';
const PATIENCE_MS = 700;
/** So that of several open tabs one answers, and the others hear it. */
const SPREAD_MS = 150;

type Message = { readonly ask: string } | { readonly answer: string; readonly ticket: string };

/** Answers other tabs for as long as this page is open. `getTicket` rejects or resolves with undefined when it cannot. */
export function answerOtherTabs(getTicket: () => Promise<string | undefined>): void {
  const channel = new BroadcastChannel(CHANNEL);
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('answer' in data) {
      clearTimeout(waiting.get(data.answer));
      waiting.delete(data.answer);
      return;
    }
    const answer = async (): Promise<void> => {
      waiting.delete(data.ask);
      const ticket = await getTicket().catch(() => undefined);
      if (ticket !== undefined) channel.postMessage({ answer: data.ask, ticket } satisfies Message);
    };
    waiting.set(
      data.ask,
      setTimeout(() => void answer(), Math.random() * SPREAD_MS),
    );
  });
}

/** A ticket from an open tab, or undefined when there is none. */
export function askOtherTabs(): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  const ask = crypto.randomUUID();
  return new Promise((resolve) => {
    const settle = (ticket: string | undefined): void => {
      clearTimeout(timer);
      channel.close();
      resolve(ticket);
    };
    const timer = setTimeout(() => settle(undefined), PATIENCE_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if ('answer' in data && data.answer === ask) settle(data.ticket);
    });
    channel.postMessage({ ask } satisfies Message);
  });
}
