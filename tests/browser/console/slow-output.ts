// Output that is made to be slow to draw: few bytes that ask an emulator for a lot.

const ESC = '\u001b';

/** From a number that is the same in every run. */
function random(): () => number {
  let state = 20_26;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function times(count: number, one: (next: () => number) => string): string {
  const next = random();
  return Array.from({ length: count }, () => one(next)).join('');
}

const mark = (next: () => number): string => String.fromCharCode(0x300 + Math.floor(next() * 0x6f));

export const SLOW_OUTPUT: Readonly<Record<string, string>> = {
  'one character, 2,147,483,647 times': `z${ESC}[2147483647b`,
  '3,000 x a character, 65,535 times': `z${`${ESC}[65535b`.repeat(3000)}`,
  'scrolled 2,147,483,647 lines': `${ESC}[2147483647S`,
  '10,000 x 65,535 new lines': `${ESC}[65535L`.repeat(10_000),
  '2,147,483,647 tabulators, 20 times': `${ESC}[2147483647I\r`.repeat(20),
  '5,000 resets': `${ESC}c`.repeat(5_000),
  '10,000 screens of E': `${ESC}#8`.repeat(10_000),
  '10,000 x the other screen and back': `${ESC}[?1049h${ESC}[?1049l`.repeat(10_000),
  '20,000 cleared screens': `${ESC}[2J`.repeat(20_000),
  '600,000 marks on one letter': `z${'\u0351'.repeat(600_000)}`,
  '5,000 letters with 20 marks': times(5_000, (next) => `a${times(20, () => mark(next))}`),
  '50,000 ideographs': times(50_000, (next) => String.fromCharCode(0x4e00 + Math.floor(next() * 0x51a5))),
  '100,000 colours': times(100_000, (next) => `${ESC}[38;2;${Math.floor(next() * 255)};99;9mx`),
  '20,000 links': times(20_000, (next) => `${ESC}]8;;http://x/${next()}${ESC}\\a${ESC}]8;;${ESC}\\`),
  '300,000 bytes of nothing': '\u007f'.repeat(300_000),
  'a sequence of 200,000 numbers': `${ESC}[${'1;'.repeat(200_000)}m`,
};

/** Whatever state it left, this is seen. */
export const seenAfter = (name: string): string => `${ESC}\\${ESC}cafter: ${name}\r\n`;
