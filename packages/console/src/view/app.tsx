// The whole page.

import { computed } from '@preact/signals';
import { formatClock } from '../text/format.js';
import { safeText } from '../text/safe-text.js';
import { ApprovalsView } from './approvals-view.js';
import { chosenTheme, dialog, link, notice, now, searchText, theme, world } from './context.js';
import { Dialogs } from './dialogs.js';
import { Icon } from './icons.js';
import { EventList } from './journal-view.js';
import { Overview } from './overview.js';
import { Empty } from './parts.js';
import { ProcessPage } from './process/process-page.js';
import { go, route } from './route.js';
import { SessionPage } from './session-page.js';
import { Timeline } from './timeline.js';
import { Tree } from './tree.js';

export function App() {
  if (link.state.value === 'noTicket') return <NoTicket />;
  const { page } = route.value;
  return (
    <div class={`app app-${page}`}>
      <TopBar />
      <nav class="side" aria-label="Agents">
        <Tree />
      </nav>
      <main class="main">
        <LostBar />
        <Timeline />
        <Page />
      </main>
      <Dialogs />
      <div class="notice" role="status" aria-live="polite" hidden={notice.value === ''}>
        {notice.value}
      </div>
    </div>
  );
}

function Page() {
  const at = route.value;
  switch (at.page) {
    case 'overview':
      return <Overview />;
    case 'approvals':
      return <ApprovalsView />;
    case 'journal':
      return <EventList />;
    case 'session':
      return <SessionPage key={at.session} handle={at.session} />;
    case 'process':
      return <ProcessPage key={`${at.session}/${at.processId}`} at={at} />;
  }
}

const openApprovals = computed(
  () => [...world.approvals.value.values()].filter(({ outcome }) => !outcome).length,
);

const LINK_TEXT = {
  connecting: 'connecting',
  open: 'live',
  lost: 'reconnecting',
  noTicket: 'no ticket',
} as const;

function TopBar() {
  const state = link.state.value;
  const { page } = route.value;
  return (
    <header class="top">
      <button type="button" class="brand" onClick={() => go({ page: 'overview' })}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <rect x="2" y="3" width="20" height="18" rx="4" class="brand-frame" />
          <path d="M6.5 9l3.5 3-3.5 3" class="brand-line" />
          <path d="M12.5 15.5h5" class="brand-line" />
        </svg>
        <span>exec-server</span>
      </button>
      <span class={`link-state link-${state}`} role="status">
        {LINK_TEXT[state]}
      </span>
      <input
        id="search"
        class="search"
        type="search"
        placeholder="Search commands   /"
        aria-label="Search commands, folders and states"
        value={searchText.value}
        onInput={(event) => {
          searchText.value = event.currentTarget.value;
        }}
      />
      <span class="top-links">
        <button
          type="button"
          class={page === 'approvals' ? 'is-here' : ''}
          onClick={() => go({ page: 'approvals' })}
        >
          Approvals
          {openApprovals.value > 0 && <span class="count count-hot">{openApprovals.value}</span>}
        </button>
        <button
          type="button"
          class={page === 'journal' ? 'is-here' : ''}
          onClick={() => go({ page: 'journal' })}
        >
          Journal
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}
          onClick={() => {
            chosenTheme.value = theme.value === 'dark' ? 'light' : 'dark';
          }}
        >
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Keys and help"
          onClick={() => {
            dialog.value = { kind: 'help' };
          }}
        >
          <Icon name="help" />
        </button>
      </span>
    </header>
  );
}

function LostBar() {
  if (link.state.value !== 'lost') return null;
  return (
    <p class="lost-bar" role="status">
      The server does not answer. What is shown is of {formatClock(now.value)}; it goes on by itself when the
      server is back.
    </p>
  );
}

function NoTicket() {
  return (
    <main class="no-ticket">
      <Empty title="A new link is needed">
        {link.trouble.value !== '' && <p class="warning">The server said: {safeText(link.trouble.value)}</p>}
        <p>Links to the console work once, and end with their server. Make a new one where it runs:</p>
        <pre>
          exec-server console --url{' '}
          {location.origin.replace(/^http/, 'ws').replace(/\/\/x[0-9a-f]+\.localhost/, '//127.0.0.1')}
        </pre>
        <p class="hint">
          Nothing is lost: the server keeps the output, and whoever watches does not change what runs.
        </p>
      </Empty>
    </main>
  );
}
