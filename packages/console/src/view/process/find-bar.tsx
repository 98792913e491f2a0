// Search inside one terminal.

import { useSignal } from '@preact/signals';
import { Icon } from '../icons.js';

interface FindBarProps {
  find(text: string, backwards: boolean): boolean;
  clear(): void;
}

export function FindBar({ find, clear }: FindBarProps) {
  const text = useSignal('');
  const isMissing = useSignal(false);
  const look = (backwards: boolean): void => {
    if (text.value === '') {
      clear();
      isMissing.value = false;
    } else isMissing.value = !find(text.value, backwards);
  };
  return (
    <form
      class="find-bar"
      onSubmit={(event) => {
        event.preventDefault();
        look(false);
      }}
    >
      <input
        type="search"
        placeholder="Find in this terminal"
        aria-label="Find in this terminal"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          look(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !event.shiftKey) return;
          event.preventDefault();
          look(true);
        }}
      />
      {text.value !== '' && (
        <>
          <button type="button" class="quiet-button" aria-label="Previous match" onClick={() => look(true)}>
            <Icon name="up" />
          </button>
          <button type="submit" class="quiet-button" aria-label="Next match">
            <Icon name="down" />
          </button>
        </>
      )}
      <span class="find-none" role="status">
        {isMissing.value ? 'not found' : ''}
      </span>
    </form>
  );
}
