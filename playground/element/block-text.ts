/** The program in a block of a page, as its author meant it: without the indentation of the page around it. */
export function blockText(text: string): string {
  const lines = text
    .replace(/^\s*\n/, '')
    .trimEnd()
    .split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const common = Math.min(...indents, 80);
  return lines.map((line) => line.slice(common)).join('\n');
}
