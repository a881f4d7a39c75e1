import { type AnyNode, parse } from 'acorn';
import type { Plugin } from 'vite';
import { visit } from './syntax-tree.ts';

/** More than there are families of distributions. */
const COPIES = 52;

/** What stands for copies of a text in `src/v8/own-text.ts`. */
const MARK = 'writtenOut';

/** Writes copies of functions out where the source asks for them: see `src/v8/own-text.ts`. */
export const ownTextPlugin = (): Plugin => ({
  name: 'waymark-own-text',
  apply: 'build',
  renderChunk: (code) => (code.includes(`${MARK}(`) ? withCopies(code) : null),
});

/** The text of a chunk, with copies of functions that it declares. */
export function withCopies(code: string): string {
  const declared = new Map<string, string>();
  const calls: { start: number; end: number; name: string }[] = [];
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node: AnyNode) => {
    if (node.type === 'FunctionDeclaration') declared.set(node.id?.name ?? '', code.slice(node.start, node.end));
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== MARK) return;
    const [made] = node.arguments;
    if (made.type === 'Identifier') calls.push({ start: node.start, end: node.end, name: made.name });
  });
  let text = code;
  for (const { start, end, name } of calls.reverse()) {
    const copy = declared.get(name);
    if (copy === undefined) throw new Error(`${MARK}(${name}): there is no function of that name in the same file.`);
    text = `${text.slice(0, start)}[${Array(COPIES).fill(copy).join(', ')}]${text.slice(end)}`;
  }
  return text;
}
