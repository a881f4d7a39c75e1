/** What a source file declares: names, doc comments, and signatures as they are written there. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { type Comment, Parser } from 'acorn';

export const top = fileURLToPath(new URL('../../', import.meta.url));

export interface Member {
  readonly name: string;
  /** As it is declared. */
  readonly text: string;
  readonly doc: string;
}

export interface Declaration {
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly kind: 'function' | 'value' | 'type' | 'class';
  readonly doc: string;
  /** One for each way to call it; the type of a value; the whole text of a type alias. */
  readonly signatures: readonly string[];
  /** Fields of an interface, and of an object that is written out. */
  readonly members: readonly Member[];
  /** What an interface or class extends. */
  readonly bases: readonly string[];
}

/** Names that a file passes on from another. */
export interface PassedOn {
  readonly from: string;
  /** Undefined: all of them. */
  readonly names?: readonly { readonly local: string; readonly exported: string }[];
}

export interface SourceFile {
  /** Where an imported name comes from: the path in the import. */
  readonly imports: ReadonlyMap<string, string>;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Those that other files may import. */
  readonly exported: ReadonlySet<string>;
  readonly passedOn: readonly PassedOn[];
}

/** The parts of acorn's trees with TypeScript that are looked at. */
interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const TypeScript = Parser.extend(tsPlugin());
const known = new Map<string, SourceFile>();

export function sourceFile(path: string): SourceFile {
  let file = known.get(path);
  if (file === undefined) {
    file = new Reader(path).read();
    known.set(path, file);
  }
  return file;
}

class Reader {
  private readonly source: string;
  private readonly comments: Comment[] = [];
  private readonly file: string;
  private readonly declarations = new Map<string, Declaration>();
  private readonly exported = new Set<string>();
  private readonly passedOn: PassedOn[] = [];
  private readonly imports = new Map<string, string>();

  constructor(path: string) {
    this.source = readFileSync(path, 'utf8');
    this.file = relative(top, path);
  }

  read(): SourceFile {
    const { source, comments, declarations, exported, passedOn, imports } = this;
    const program = TypeScript.parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      onComment: comments,
    }) as unknown as Tree;
    for (const statement of program.body as Tree[]) this.statement(statement);
    return { declarations, exported, passedOn, imports };
  }

  private statement(statement: Tree): void {
    if (statement.type === 'ExportAllDeclaration') {
      this.passedOn.push({ from: (statement.source as { value: string }).value });
      return;
    }
    if (statement.type === 'ImportDeclaration') {
      const from = (statement.source as { value: string }).value;
      for (const { local } of statement.specifiers as Tree[]) this.imports.set((local as { name: string }).name, from);
      return;
    }
    if (statement.type !== 'ExportNamedDeclaration') {
      this.declare(statement, statement.start, false);
      return;
    }
    if (statement.declaration) {
      this.declare(statement.declaration as Tree, statement.start, true);
      return;
    }
    const names = (statement.specifiers as Tree[]).map(({ local, exported }) => ({
      local: (local as { name: string }).name,
      exported: (exported as { name: string }).name,
    }));
    if (statement.source) this.passedOn.push({ from: (statement.source as { value: string }).value, names });
    else for (const { local } of names) this.exported.add(local);
  }

  private declare(node: Tree, start: number, exported: boolean): void {
    const doc = this.docBefore(start);
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        this.addFunction(node, doc, exported);
        return;
      case 'VariableDeclaration':
        for (const declarator of node.declarations as Tree[]) {
          const id = declarator.id as Tree & { name: string };
          if (id.type !== 'Identifier') continue;
          const init = declarator.init as Tree | null;
          const members = init?.type === 'ObjectExpression' ? this.membersOf(init.properties as Tree[]) : [];
          this.add(id.name, 'value', doc, this.valueSignature(id, init), exported, members);
        }
        return;
      case 'TSInterfaceDeclaration':
        this.add(
          (node.id as { name: string }).name,
          'type',
          doc,
          [],
          exported,
          this.membersOf((node.body as { body: Tree[] }).body),
          ((node.extends as Tree[] | undefined) ?? []).map(({ expression }) => this.text(expression as Tree)),
        );
        return;
      case 'TSTypeAliasDeclaration':
        this.add((node.id as { name: string }).name, 'type', doc, [this.text(node)], exported);
        return;
      case 'ClassDeclaration':
        this.add(
          (node.id as { name: string }).name,
          'class',
          doc,
          [],
          exported,
          this.methodsOf((node.body as { body: Tree[] }).body),
          node.superClass ? [this.text(node.superClass as Tree)] : [],
        );
    }
  }

  /** With overloads, the implementation is no way to call a function, nor is one that is there for the type checker alone. */
  private addFunction(node: Tree, doc: string, exported: boolean): void {
    if (doc.endsWith('@internal')) return;
    const { name } = node.id as { name: string };
    const before = this.declarations.get(name);
    if (before !== undefined && node.type === 'FunctionDeclaration') return;
    const body = node.body as Tree | null | undefined;
    const text = this.source.slice(node.start, body?.start ?? node.end);
    const signature = text.replace(/^(async )?function\s+/, '').replace(/[;\s]+$/, '');
    this.add(name, 'function', before?.doc || doc, [...(before?.signatures ?? []), signature], exported);
  }

  private add(
    name: string,
    kind: Declaration['kind'],
    doc: string,
    signatures: readonly string[],
    exported: boolean,
    members: readonly Member[] = [],
    bases: readonly string[] = [],
  ): void {
    // A type and a value may share a name; the value comes last and is what programs call.
    const before = this.declarations.get(name);
    const text = doc === '' && before !== undefined ? before.doc : doc;
    this.declarations.set(name, { name, file: this.file, kind, doc: text, signatures, members, bases });
    if (exported) this.exported.add(name);
  }

  private valueSignature(id: Tree & { name: string }, init: Tree | null): string[] {
    const annotation = id.typeAnnotation as Tree | undefined;
    if (annotation !== undefined) return [`${id.name}${this.text(annotation)}`];
    if (init?.type !== 'ArrowFunctionExpression') return [];
    const head = this.source.slice(init.start, (init.body as Tree).start);
    return [id.name + head.replace(/\s*=>\s*\(?\s*$/, '')];
  }

  private membersOf(nodes: readonly Tree[]): Member[] {
    return nodes.flatMap((node) => {
      const key = node.key as { name?: string } | undefined;
      if (key?.name === undefined) return [];
      return [{ name: key.name, text: this.text(node).replace(/;$/, ''), doc: this.docBefore(node.start) }];
    });
  }

  /** What users may call of a class: public methods and fields, with their types. */
  private methodsOf(nodes: readonly Tree[]): Member[] {
    return nodes.flatMap((node) => {
      const { type, name } = (node.key ?? {}) as { type?: string; name?: string };
      const isPrivate =
        type === 'PrivateIdentifier' || (node.accessibility !== undefined && node.accessibility !== 'public');
      // Members named by symbols are for JavaScript to call.
      const hidden = isPrivate || node.computed === true;
      if (name === undefined || name === 'constructor' || hidden || node.static) return [];
      const body = (node.value as Tree | null)?.body as Tree | undefined;
      const text = this.source.slice(node.start, body?.start ?? node.end);
      const plain = text.replace(/^(override |abstract |readonly |get )+/, '').replace(/[\s;{]+$/, '');
      // A getter reads like a field.
      const shown = node.kind === 'get' ? plain.replace('()', '') : plain;
      return [{ name, text: shown, doc: this.docBefore(node.start) }];
    });
  }

  private text(node: Tree): string {
    return this.source.slice(node.start, node.end);
  }

  /** The doc comment that ends right before an offset. */
  private docBefore(offset: number): string {
    const comment = this.comments.findLast(({ end }) => end <= offset);
    if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return '';
    if (this.source.slice(comment.end, offset).trim() !== '') return '';
    return comment.value
      .slice(1)
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
      .join('\n')
      .trim();
  }
}
