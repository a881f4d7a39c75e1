/** One public name as a section of a page. */
import { dirname, resolve } from 'node:path';
import { type Declaration, type Member, sourceFile, top } from './declarations.ts';
import { code, proseOf, signatureBlock, table } from './markdown.ts';

/** What an interface or class has, with what it inherits from others of the project; nearer ones count. */
export function allMembers(declaration: Declaration): Member[] {
  const { imports, declarations } = sourceFile(resolve(top, declaration.file));
  const members = new Map<string, Member>();
  for (const base of declaration.bases) {
    const name = base.replace(/<.*$/s, '');
    const from = imports.get(name);
    const found =
      from?.startsWith('.') === true
        ? sourceFile(resolve(top, dirname(declaration.file), from)).declarations.get(name)
        : declarations.get(name);
    for (const member of found === undefined ? [] : allMembers(found)) members.set(member.name, member);
  }
  for (const member of declaration.members) {
    members.set(member.name, { ...member, doc: member.doc || (members.get(member.name)?.doc ?? '') });
  }
  return [...members.values()];
}

const memberTable = (members: readonly Member[]): string =>
  table(
    ['', 'meaning'],
    members.map(({ text, doc }) => [code(text), doc]),
  );

/** For those who write algorithms, who read its source. */
const CONTRACTS = ['Handler'];

/** The heading, what it is, how it is called, and where it is written. */
export function section(name: string, declaration: Declaration, rest: readonly string[] = []): string {
  const { kind, doc, signatures, file } = declaration;
  const shown = signatures.map((signature) => signature.replace(declaration.name, name));
  const listed = (kind === 'type' || kind === 'class') && !CONTRACTS.includes(name);
  const members = listed ? allMembers(declaration) : [];
  return [
    `### ${name}`,
    ...(shown.length > 0 ? [signatureBlock(shown)] : []),
    proseOf(doc).trim(),
    ...(members.length > 0 ? [memberTable(members)] : []),
    ...rest,
    `\`${file}\``,
  ].join('\n\n');
}
