// The entry of the page. The address is cleaned of its ticket before anything is shown or asked for.

import { render } from 'preact';
import { App } from './view/app.js';
import { link } from './view/context.js';
import { listenToKeys } from './view/keyboard.js';
import { parseRoute, route } from './view/route.js';
import { answerOtherTabs } from './wire/tab-sharing.js';
import { takeTicketFromAddress } from './wire/ticket-keeper.js';
import './style/index.css';

takeTicketFromAddress();
const follow = (): void => {
  route.value = parseRoute(location.hash);
};
follow();
addEventListener('popstate', follow);
addEventListener('hashchange', () => {
  // A link that was pasted into an open page may hold a new ticket.
  const hadTicket = takeTicketFromAddress();
  follow();
  // It may be one of another server, which has nothing to do with what this page knows.
  if (hadTicket && link.state.peek() === 'noTicket') location.reload();
});
listenToKeys();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
void link.run();
answerOtherTabs(async () => (await link.api.peek()?.shareTicket())?.ticket);
