/** Bars and columns of block characters, in eighths of a character. */

const ACROSS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const UP = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A bar to the right, `fraction` of `width` characters long. A fraction above 0 has at least the thinnest bar. */
export function bar(fraction: number, width: number): string {
  if (!(fraction > 0)) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, fraction) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + ACROSS[eighths % 8];
}

/** Columns beside each other, `height` lines tall, the largest reaching the top. */
export function columns(heights: ArrayLike<number>, height: number): string[] {
  let largest = 0;
  for (let i = 0; i < heights.length; i++) largest = Math.max(largest, heights[i]);
  const eighths = Array.from(heights, (h) => {
    if (!(h > 0)) return 0;
    return Math.max(1, Math.round((h / largest) * height * 8));
  });
  const lines: string[] = [];
  for (let line = height - 1; line >= 0; line--) {
    lines.push(
      eighths
        .map((n) => UP[Math.max(0, Math.min(8, n - 8 * line))])
        .join('')
        .trimEnd(),
    );
  }
  return lines;
}

/** Columns one line tall. */
export function sparkline(heights: ArrayLike<number>): string {
  return columns(heights, 1)[0].padEnd(heights.length);
}
