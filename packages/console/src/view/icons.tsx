// Drawn in one hand: 16 by 16, one line width, the colour of the text beside them.

const PATHS = {
  back: 'M11 3.5 5.5 8l5.5 4.5z',
  forward: 'M5 3.5 10.5 8 5 12.5z',
  play: 'M4.5 2.8v10.4L13 8z',
  pause: 'M4.5 3h2.2v10H4.5zM9.3 3h2.2v10H9.3z',
  download: 'M8 2.5v7.2M4.8 7 8 10.2 11.2 7M3 13h10',
  link: 'M6.6 9.4a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.4 6.6a2.6 2.6 0 0 0-3.7 0L3.5 8.8a2.6 2.6 0 0 0 3.7 3.7l.9-.9',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z',
  help: 'M6 6.1a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.6v.4',
  up: 'M3.5 10 8 5.5l4.5 4.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  folder: 'M2 4h4l1.5 1.5H14v7.5H2z',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.5M6.5 6.5H7M9 6.5h.5M11.5 6.5h.5M4.5 9.5h7',
  mark: 'M8 2.5v11M5.5 5 3 8l2.5 3M10.5 5 13 8l-2.5 3',
} as const;

const FILLED = new Set<IconName>(['back', 'forward', 'play', 'pause']);

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="15"
      height="15"
      aria-hidden="true"
      class={FILLED.has(name) ? 'icon icon-full' : 'icon'}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
