/** What programs that share definitions take over from those before them: top-level declarations, and imports. */
import type { Program } from 'acorn';
import { SourceText } from '../../src/compiler/diagnostics.ts';
import { parse, prepareParser } from '../../src/compiler/parse/parse.ts';
import type { Language } from '../../src/compiler/parse/syntax.ts';

type Statement = Program['body'][number];

interface Declared {
  readonly names: readonly string[];
  readonly text: string;
}

/**
 * The declarations of earlier programs, as text. A name that is declared again, by a later program or by `code`, means
 * the later one for all of them: what a reader has changed last is what counts.
 */
export async function declarationsBefore(before: readonly string[], code: string, language: Language): Promise<string> {
  await prepareParser(language);
  const taken = new Set(declarationsIn(code, language).flatMap(({ names }) => names));
  const kept: string[] = [];
  for (const text of before.toReversed()) {
    const fresh = declarationsIn(text, language).filter(({ names }) => !names.some((name) => taken.has(name)));
    for (const { names } of fresh) for (const name of names) taken.add(name);
    kept.unshift(...fresh.map((declared) => declared.text));
  }
  return kept.join('\n');
}

/** A program that cannot be read declares nothing. If it is the one to be run, the compiler says why. */
function declarationsIn(code: string, language: Language): Declared[] {
  let program: Program;
  try {
    program = parse(new SourceText(code, ''), language);
  } catch {
    return [];
  }
  return program.body.flatMap((statement) => declarations(statement, code));
}

function declarations(statement: Statement, code: string): Declared[] {
  const text = (node: { start: number; end: number }) => code.slice(node.start, node.end);
  switch (statement.type) {
    case 'VariableDeclaration':
      return statement.declarations.map((one) => ({
        names: boundNames(one.id),
        text: `${statement.kind} ${text(one)};`,
      }));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [{ names: [statement.id.name], text: text(statement) }];
    case 'ImportDeclaration':
      // One by one, since another program may import some of them too.
      return statement.specifiers.map((one) => {
        const braced = one.type === 'ImportSpecifier' ? `{ ${text(one)} }` : text(one);
        return { names: [one.local.name], text: `import ${braced} from ${statement.source.raw};` };
      });
    case 'ExportNamedDeclaration':
      return statement.declaration ? declarations(statement.declaration, code) : [];
    default:
      return 'id' in statement && (statement.type as string).startsWith('TS')
        ? [{ names: [(statement.id as { name: string }).name], text: text(statement) }]
        : [];
  }
}

/** The names in a pattern. */
function boundNames(pattern: { type: string }): string[] {
  const node = pattern as { [field: string]: unknown; type: string };
  switch (node.type) {
    case 'Identifier':
      return [node.name as string];
    case 'ObjectPattern':
      return (node.properties as { value?: { type: string }; type: string }[]).flatMap((one) =>
        boundNames(one.value ?? one),
      );
    case 'ArrayPattern':
      return (node.elements as ({ type: string } | null)[]).flatMap((one) => (one === null ? [] : boundNames(one)));
    case 'AssignmentPattern':
      return boundNames(node.left as { type: string });
    case 'RestElement':
      return boundNames(node.argument as { type: string });
    default:
      return [];
  }
}
