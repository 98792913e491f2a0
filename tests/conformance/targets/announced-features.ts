// Asks a server what it can do beyond the common protocol: each capability it announces is an extension that it is held to.
import { Conversation } from '../client/conversation.js';
import { isObject } from '../client/message.js';
import { openWebSocket } from '../client/websocket-link.js';

export async function announcedFeatures(url: string): Promise<string[]> {
  const connection = new Conversation(await openWebSocket(url));
  try {
    const { environmentInfo } = await connection.call('initialize', { clientName: 'exec-conformance' });
    if (!isObject(environmentInfo) || !isObject(environmentInfo['capabilities'])) return [];
    return Object.entries(environmentInfo['capabilities']).flatMap(([name, on]) =>
      on === true ? [`extension:${name}`] : [],
    );
  } finally {
    connection.drop();
  }
}
