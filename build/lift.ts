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
  const edits: Edit[] = [];
  let sequence = 0;
  const program = parser.parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true });

  const open = (at: number, text: string): void => void edits.push({ from: at, to: at, text, order: ++sequence });
  const close = (at: number, text: string): void => void edits.push({ from: at, to: at, text, order: -++sequence });
  const replace = (from: number, to: number, text: string): void =>
    void edits.push({ from, to, text, order: ++sequence });

  /** The place of a token between two nodes, past closing brackets and comments. */
  const find = (token: string, from: number, to: number): number => {
    for (let at = from; at < to; at++) {
      if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 1;
      else if (source.startsWith('//', at)) at = source.indexOf('\n', at);
      else if (source.startsWith(token, at)) return at;
    }
    throw new Error(`lift: no '${token}' between ${from} and ${to}`);
  };
  const swap = (token: string, from: number, to: number, text: string): void => {
    const at = find(token, from, to);
    replace(at, at + token.length, text);
  };

  const visitors: Record<string, (node: SyntaxNode) => void> = {
    BinaryExpression(node) {
      const operator = node.operator as string;
      const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
      if (!(operator in BINARY)) return children(node);
      open(node.start, `$l.${BINARY[operator]}(`);
      children(node);
      swap(operator, left.end, right.start, ',');
      close(node.end, ')');
    },
    LogicalExpression(node) {
      const operator = node.operator as string;
      if (!(operator in LOGICAL)) return children(node);
      open(node.start, `$l.${LOGICAL[operator]}(`);
      children(node);
      swap(operator, (node.left as SyntaxNode).end, (node.right as SyntaxNode).start, ', () => (');
      close(node.end, '))');
    },
    UnaryExpression(node) {
      const operator = node.operator as string;
      const argument = node.argument as SyntaxNode;
      if (!(operator in UNARY) || (operator === '-' && isConstant(argument))) return children(node);
      replace(node.start, node.start + operator.length, `$l.${UNARY[operator]}(`);
      children(node);
      close(node.end, ')');
    },
    ConditionalExpression(node) {
      const [test, yes, no] = [node.test, node.consequent, node.alternate] as SyntaxNode[];
      open(node.start, '$l.choose(');
      children(node);
      swap('?', test.end, yes.start, ', () => (');
      swap(':', yes.end, no.start, '), () => (');
      close(node.end, '))');
    },
    AssignmentExpression(node) {
      const operator = (node.operator as string).slice(0, -1);
      const [left, right] = [node.left, node.right] as SyntaxNode[];
      if (!(operator in BINARY) || left.type !== 'Identifier') return children(node);
      swap(`${operator}=`, left.end, right.start, `= $l.${BINARY[operator]}(${left.name}, `);
      visit(right);
      close(node.end, ')');
    },
    CallExpression(node) {
      const callee = node.callee as SyntaxNode;
      const object = callee.object as SyntaxNode | undefined;
      if (callee.type === 'MemberExpression' && object?.type === 'Identifier' && object.name === 'Math') {
        replace(object.start, object.end, '$l.math');
      }
      children(node);
    },
    BlockStatement(node) {
      statements(node.body as SyntaxNode[]);
    },
    Program(node) {
      statements(node.body as SyntaxNode[]);
    },
    IfStatement(node) {
      truth(node.test as SyntaxNode);
      visit(node.consequent as SyntaxNode);
      if (node.alternate) visit(node.alternate as SyntaxNode);
    },
    WhileStatement(node) {
      truth(node.test as SyntaxNode);
      loop(node);
    },
    // Counters of loops are plain numbers: only the body is lifted.
    ForStatement: loop,
    ForOfStatement: loop,
    ForInStatement: loop,
    FunctionDeclaration: ownFlow,
    FunctionExpression: ownFlow,
    ArrowFunctionExpression: ownFlow,
    ImportDeclaration: relocated,
    ExportNamedDeclaration: relocated,
    ExportAllDeclaration: relocated,
  };

  function relocated(node: SyntaxNode): void {
    const from = node.source as SyntaxNode | null;
    if (from) replace(from.start, from.end, JSON.stringify(relocate(from.value as string)));
    else children(node);
  }

  /** A `return` inside a loop ends more than its block, so conditions there are decided. */
  let inLoop = false;

  function loop(node: SyntaxNode): void {
    const outer = inLoop;
    inLoop = true;
    visit(node.body as SyntaxNode);
    inLoop = outer;
  }

  function ownFlow(node: SyntaxNode): void {
    const outer = inLoop;
    inLoop = false;
    children(node);
    inLoop = outer;
  }

  function truth(test: SyntaxNode): void {
    open(test.start, '$l.truth(');
    visit(test);
    close(test.end, ')');
  }

  /** `if (c) return a; …` becomes `return choose(c, () => a, () => {…})`, so that nothing need be decided. */
  function statements(body: SyntaxNode[]): void {
    for (const statement of body) {
      const last = body[body.length - 1];
      if (!inLoop && statement.type === 'IfStatement' && returns(statement.consequent as SyntaxNode)) {
        const alternate = statement.alternate as SyntaxNode | null;
        if (alternate === null || alternate === undefined) {
          if (statement === last) visit(statement);
          else {
            chooseStatement(statement);
            open((statement.consequent as SyntaxNode).end, ', () => {');
            close(last.end, '});');
          }
        } else if (returns(alternate)) {
          chooseStatement(statement);
          swap('else', (statement.consequent as SyntaxNode).end, alternate.start, ', () => ');
          braced(alternate);
          close(alternate.end, ');');
        } else visit(statement);
      } else visit(statement);
    }
  }

  function chooseStatement(statement: SyntaxNode): void {
    const [test, consequent] = [statement.test, statement.consequent] as SyntaxNode[];
    replace(statement.start, test.start, 'return $l.choose((');
    visit(test);
    replace(test.end, consequent.start, '), () => ');
    braced(consequent);
  }

  function braced(node: SyntaxNode): void {
    if (node.type === 'BlockStatement') visit(node);
    else {
      open(node.start, '{ ');
      statements([node]);
      close(node.end, ' }');
    }
  }

  function visit(node: SyntaxNode): void {
    if (node.type.startsWith('TS') && node.expression === undefined) return;
    const visitor = visitors[node.type];
    if (visitor === undefined) children(node);
    else visitor(node);
  }

  function children(node: SyntaxNode): void {
    for (const key of Object.keys(node)) {
      if (/^(type|loc|range|returnType|superTypeParameters|implements)/.test(key)) continue;
      const value = node[key];
      if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item);
      if (isNode(value)) visit(value);
    }
  }

  visit(program as unknown as SyntaxNode);
  return `import { operators as $l } from ${JSON.stringify(operators)};\n${apply(source, edits)}`;
}

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
