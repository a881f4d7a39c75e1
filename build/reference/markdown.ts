/** Doc comments and tables as Markdown. */

/** Indented lines of a doc comment are a program, in `.wppl` unless they need TypeScript. What it prints follows it. */
export function proseOf(doc: string): string {
  return doc.replace(/(?:^|\n)\n?((?: {4}.*(?:\n|$)|\n(?= {4}))+)/g, (_, block: string) => {
    const code = block.replace(/^ {4}/gm, '').trim();
    const language = /^(import|declare|interface|type) /m.test(code) ? 'ts' : 'wppl';
    return `\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n\`\`\`text\n\`\`\`\n\n`;
  });
}

/** The first sentence, for lists. */
export const firstSentence = (doc: string): string => {
  const flat = doc.split('\n\n')[0].replace(/\s+/g, ' ').trim();
  return /^(.*?[.:;])(?= [A-Z`]|$)/.exec(flat)?.[1].replace(/[:;]$/, '.') ?? flat;
};

const cell = (text: string): string =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\|/g, '\\|')
    .trim();

export const code = (text: string): string => (text === '' ? '' : `\`${text.replace(/\s*\n\s*/g, ' ')}\``);

/** A table; columns that would be empty are left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = head.map((_, i) => i === 0 || rows.some((row) => row[i] !== ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .filter((_, i) => kept[i])
      .map(cell)
      .join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Signatures are not programs: the word keeps them from being taken for such. */
export const signatureBlock = (lines: readonly string[]): string => `\`\`\`ts signature\n${lines.join('\n')}\n\`\`\``;
