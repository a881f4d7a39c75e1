/** Texts in aligned columns. */

/** Lines are kept within this many columns. */
export const WIDTH = 80;

/** The columns a text takes in a terminal: characters, counting wide (East Asian, emoji) ones twice. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x300) width++;
    else if (!/\p{Mark}/u.test(character))
      width +=
        /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
          character,
        )
          ? 2
          : 1;
  }
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

/** The beginning of a text that is too long, with an ellipsis. */
export function clip(text: string, width: number): string {
  const line = text.replaceAll('\n', ' ');
  if (widthOf(line) <= width) return line;
  let kept = '';
  for (const character of line) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** One line per row, columns two spaces apart; `align` says for each column whether its text goes to the right. */
export function grid(rows: readonly (readonly string[])[], align: readonly ('left' | 'right')[]): string[] {
  const widths = align.map((_, column) => Math.max(0, ...rows.map((row) => widthOf(row[column] ?? ''))));
  return rows.map((row) =>
    widths
      .map((width, column) => (align[column] === 'right' ? padStart : padEnd)(row[column] ?? '', width))
      .join('  ')
      .trimEnd(),
  );
}
