/**
 * Lifting: the second reading of a source file. Definitions of distributions and library functions are written in
 * ordinary arithmetic on numbers; this rewrites their operators, conditions and calls of `Math` into calls of `$l`
 * (`src/lifting/operators.ts`), which also take graph nodes. One definition thus serves plain programs at
 * native speed and programs under gradients. Types stay in the text; the bundler strips them afterwards.
 */

import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';
import { ARITHMETIC, COMPARISONS } from '../src/compiler/operator-names.ts';

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const BINARY: Record<string, string> = { ...ARITHMETIC, ...COMPARISONS };
const LOGICAL: Record<string, string> = { '&&': 'and', '||': 'or' };
const UNARY: Record<string, string> = { '-': 'neg', '!': 'not' };

const parser = Parser.extend(tsPlugin());

/** Text to put in place of a stretch of the source; an insertion where `from` equals `to`. */
interface Edit {
  from: number;
  to: number;
  text: string;
  /** Among insertions at one place, closing ones of inner nodes come first, opening ones of outer nodes. */
  order: number;
}

/** The lifted text of a TypeScript module. `relocate` says where an import leads instead. */
export function lift(source: string, operators: string, relocate: (specifier: string) => string): string {
  const program = parser.parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  const lifting = new Lifting(source, relocate);
  lifting.visit(program as unknown as SyntaxNode);
  return `import { operators as $l } from ${JSON.stringify(operators)};\n${apply(source, lifting.edits)}`;
}

/** The walk through one module, which notes what to put where. */
class Lifting {
  readonly edits: Edit[] = [];
  private sequence = 0;

  constructor(
    private readonly source: string,
    private readonly relocate: (specifier: string) => string,
  ) {}

  open(at: number, text: string): void {
    this.edits.push({ from: at, to: at, text, order: ++this.sequence });
  }

  close(at: number, text: string): void {
    this.edits.push({ from: at, to: at, text, order: -++this.sequence });
  }

  replace(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text, order: ++this.sequence });
  }

  /** The place of a token between two nodes, past closing brackets and comments. */
  find(token: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      if (this.source.startsWith('/*', at)) at = this.source.indexOf('*/', at) + 1;
      else if (this.source.startsWith('//', at)) at = this.source.indexOf('\n', at);
      else if (this.source.startsWith(token, at)) return at;
    }
    throw new Error(`lift: no '${token}' between ${from} and ${to}`);
  }

  swap(token: string, from: number, to: number, text: string): void {
    const at = this.find(token, from, to);
    this.replace(at, at + token.length, text);
  }

  relocated(node: SyntaxNode): void {
    const from = node.source as SyntaxNode | null;
    if (from) this.replace(from.start, from.end, JSON.stringify(this.relocate(from.value as string)));
    else this.children(node);
  }

  /** A `return` inside a loop ends more than its block, so conditions there are decided. */
  private inLoop = false;

  loop(node: SyntaxNode): void {
    const outer = this.inLoop;
    this.inLoop = true;
    this.visit(node.body as SyntaxNode);
    this.inLoop = outer;
  }

  ownFlow(node: SyntaxNode): void {
    const outer = this.inLoop;
    this.inLoop = false;
    this.children(node);
    this.inLoop = outer;
  }

  truth(test: SyntaxNode): void {
    this.open(test.start, '$l.truth(');
    this.visit(test);
    this.close(test.end, ')');
  }

  /** `if (c) return a; …` becomes `return choose(c, () => a, () => {…})`, so that nothing need be decided. */
  statements(body: SyntaxNode[]): void {
    for (const statement of body) {
      const last = body[body.length - 1];
      if (!this.inLoop && statement.type === 'IfStatement' && returns(statement.consequent as SyntaxNode)) {
        const alternate = statement.alternate as SyntaxNode | null;
        if (alternate === null || alternate === undefined) {
          if (statement === last) this.visit(statement);
          else {
            this.chooseStatement(statement);
            this.open((statement.consequent as SyntaxNode).end, ', () => {');
            this.close(last.end, '});');
          }
        } else if (returns(alternate)) {
          this.chooseStatement(statement);
          this.swap('else', (statement.consequent as SyntaxNode).end, alternate.start, ', () => ');
          this.braced(alternate);
          this.close(alternate.end, ');');
        } else this.visit(statement);
      } else this.visit(statement);
    }
  }

  chooseStatement(statement: SyntaxNode): void {
    const [test, consequent] = [statement.test, statement.consequent] as SyntaxNode[];
    this.replace(statement.start, test.start, 'return $l.choose((');
    this.visit(test);
    this.replace(test.end, consequent.start, '), () => ');
    this.braced(consequent);
  }

  braced(node: SyntaxNode): void {
    if (node.type === 'BlockStatement') this.visit(node);
    else {
      this.open(node.start, '{ ');
      this.statements([node]);
      this.close(node.end, ' }');
    }
  }

  visit(node: SyntaxNode): void {
    if (node.type.startsWith('TS') && node.expression === undefined) return;
    const visitor = VISITORS[node.type];
    if (visitor === undefined) this.children(node);
    else visitor(this, node);
  }

  children(node: SyntaxNode): void {
    for (const key of Object.keys(node)) {
      if (/^(type|loc|range|returnType|superTypeParameters|implements)/.test(key)) continue;
      const value = node[key];
      if (Array.isArray(value)) for (const item of value) if (isNode(item)) this.visit(item);
      if (isNode(value)) this.visit(value);
    }
  }
}

const VISITORS: Record<string, (lifting: Lifting, node: SyntaxNode) => void> = {
  BinaryExpression(lifting, node) {
    const operator = node.operator as string;
    const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
    if (!(operator in BINARY)) return lifting.children(node);
    lifting.open(node.start, `$l.${BINARY[operator]}(`);
    lifting.children(node);
    lifting.swap(operator, left.end, right.start, ',');
    lifting.close(node.end, ')');
  },
  LogicalExpression(lifting, node) {
    const operator = node.operator as string;
    if (!(operator in LOGICAL)) return lifting.children(node);
    lifting.open(node.start, `$l.${LOGICAL[operator]}(`);
    lifting.children(node);
    lifting.swap(operator, (node.left as SyntaxNode).end, (node.right as SyntaxNode).start, ', () => (');
    lifting.close(node.end, '))');
  },
  UnaryExpression(lifting, node) {
    const operator = node.operator as string;
    const argument = node.argument as SyntaxNode;
    if (!(operator in UNARY) || (operator === '-' && isConstant(argument))) return lifting.children(node);
    lifting.replace(node.start, node.start + operator.length, `$l.${UNARY[operator]}(`);
    lifting.children(node);
    lifting.close(node.end, ')');
  },
  ConditionalExpression(lifting, node) {
    const [test, yes, no] = [node.test, node.consequent, node.alternate] as SyntaxNode[];
    lifting.open(node.start, '$l.choose(');
    lifting.children(node);
    lifting.swap('?', test.end, yes.start, ', () => (');
    lifting.swap(':', yes.end, no.start, '), () => (');
    lifting.close(node.end, '))');
  },
  AssignmentExpression(lifting, node) {
    const operator = (node.operator as string).slice(0, -1);
    const [left, right] = [node.left, node.right] as SyntaxNode[];
    if (!(operator in BINARY) || left.type !== 'Identifier') return lifting.children(node);
    lifting.swap(`${operator}=`, left.end, right.start, `= $l.${BINARY[operator]}(${left.name}, `);
    lifting.visit(right);
    lifting.close(node.end, ')');
  },
  CallExpression(lifting, node) {
    const callee = node.callee as SyntaxNode;
    const object = callee.object as SyntaxNode | undefined;
    if (callee.type === 'MemberExpression' && object?.type === 'Identifier' && object.name === 'Math') {
      lifting.replace(object.start, object.end, '$l.math');
    }
    lifting.children(node);
  },
  BlockStatement(lifting, node) {
    lifting.statements(node.body as SyntaxNode[]);
  },
  Program(lifting, node) {
    lifting.statements(node.body as SyntaxNode[]);
  },
  IfStatement(lifting, node) {
    lifting.truth(node.test as SyntaxNode);
    lifting.visit(node.consequent as SyntaxNode);
    if (node.alternate) lifting.visit(node.alternate as SyntaxNode);
  },
  WhileStatement(lifting, node) {
    lifting.truth(node.test as SyntaxNode);
    lifting.loop(node);
  },
  // Counters of loops are plain numbers: only the body is lifted.
  ForStatement: (lifting, node) => lifting.loop(node),
  ForOfStatement: (lifting, node) => lifting.loop(node),
  ForInStatement: (lifting, node) => lifting.loop(node),
  FunctionDeclaration: (lifting, node) => lifting.ownFlow(node),
  FunctionExpression: (lifting, node) => lifting.ownFlow(node),
  ArrowFunctionExpression: (lifting, node) => lifting.ownFlow(node),
  ImportDeclaration: (lifting, node) => lifting.relocated(node),
  ExportNamedDeclaration: (lifting, node) => lifting.relocated(node),
  ExportAllDeclaration: (lifting, node) => lifting.relocated(node),
};

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

/** A number as written, or infinity. */
function isConstant(node: SyntaxNode): boolean {
  return node.type === 'Literal' || (node.type === 'Identifier' && node.name === 'Infinity');
}

/** True if a statement always ends the function with a value. (Without one there is nothing to choose between.) */
function returns(node: SyntaxNode): boolean {
  if (node.type === 'ReturnStatement') return node.argument !== null;
  if (node.type === 'BlockStatement') {
    const body = node.body as SyntaxNode[];
    return body.length > 0 && returns(body[body.length - 1]);
  }
  return (
    node.type === 'IfStatement' &&
    returns(node.consequent as SyntaxNode) &&
    node.alternate !== null &&
    node.alternate !== undefined &&
    returns(node.alternate as SyntaxNode)
  );
}

function apply(source: string, edits: Edit[]): string {
  const closing = (edit: Edit): boolean => edit.from === edit.to && edit.order < 0;
  edits.sort((a, b) => {
    if (a.from !== b.from) return a.from - b.from;
    if (closing(a) !== closing(b)) return closing(a) ? -1 : 1;
    // Closings: the node entered last closes first. Openings: the node entered first opens first.
    return a.order - b.order;
  });
  let out = '';
  let at = 0;
  for (const { from, to, text } of edits) {
    out += source.slice(at, from) + text;
    at = Math.max(at, to);
  }
  return out + source.slice(at);
}
