/**
 * `if` statements in texts in which executions, or iterations, run side by side. Each side becomes a function, which is run
 * for those alone that take it; where a side returns, what follows the statement becomes part of the sides. In lifted text
 * sides may change variables of their function, which then have the value of either side. Other statements that change
 * something are left as they are: then all have to agree on the condition, or part.
 */
import type { AnyNode, BlockStatement, Expression, IfStatement, Node } from 'acorn';
import type { Analysis } from '../analyse/analyse.ts';
import type { Binding } from '../analyse/scope.ts';
import { bare } from '../parse/syntax.ts';
import { has } from './column-text.ts';
import type { Emission, Mode } from './emission.ts';
import { emitStatements } from './functions.ts';

/** The object that the functions `branch` and `either` belong to. */
type Owner = '$L' | '$C';

/** How bodies and `if` statements are written. */
export function branching(owner: Owner): Pick<Mode, 'body' | 'effects'> {
  return {
    body: (e, statements, tail) => emitEnding(e, owner, statements, tail),
    effects: (e, node) => emitEffects(e, owner, node),
  };
}

/** The statements of a side. */
const statementsOf = (node: Node | null | undefined): readonly Node[] =>
  !node ? [] : node.type === 'BlockStatement' ? (node as BlockStatement).body : [node];

/** Writes statements after which their function ends, or does what `after` says. */
function emitEnding(e: Emission, owner: Owner, body: readonly Node[], tail: boolean, after = ''): void {
  for (let i = 0; i < body.length; i++) {
    const statement = body[i];
    const rest = body.slice(i + 1);
    if (statement.type === 'IfStatement' && isEnding(e, statement as IfStatement, rest, tail)) {
      emitReturningIf(e, owner, statement as IfStatement, rest, tail, after);
      return;
    }
    e.statement(statement, tail && rest.length === 0);
  }
  e.text(after);
}

/** Writes an `if` statement that only has effects, if it is one; false if it is to be written as it stands. */
function emitEffects(e: Emission, owner: Owner, node: IfStatement): boolean {
  const changed = owner === '$L' ? new Set<Binding>() : undefined;
  const { consequent, alternate } = node;
  if (has(node, returns) || has(node, jumps)) return false;
  if (!staysInside(e, [consequent], changed) || !staysInside(e, [alternate], changed)) return false;
  const names = [...(changed ?? [])].map(({ emitted }) => emitted).join(', ');
  e.marked(node.start, names === '' ? `${owner}.either(` : '$L.assigning(');
  e.expression(node.test);
  e.text(', () => {\n');
  emitStatements(e, statementsOf(consequent), false);
  e.text('}, () => {\n');
  emitStatements(e, statementsOf(alternate), false);
  e.text(names === '' ? '});\n' : `}, () => [${names}], ($v) => { [${names}] = $v; });\n`);
  return true;
}

/** Whether an `if`, with the statements after it, can be written as a call that gives the function's value. */
function isEnding(e: Emission, node: IfStatement, rest: readonly Node[], tail: boolean): boolean {
  const givesValue = tail && rest.length === 0;
  if (!givesValue && !has(node, returns)) return false;
  if (has(node, jumps)) return false;
  return staysInside(e, [node.consequent]) && staysInside(e, [node.alternate]) && staysInside(e, rest);
}

function emitReturningIf(
  e: Emission,
  owner: Owner,
  node: IfStatement,
  rest: readonly Node[],
  tail: boolean,
  after: string,
): void {
  const sides = [statementsOf(node.consequent), statementsOf(node.alternate)];
  const goesOn = sides.map((side) => rest.length > 0 && mayEnd(side));
  const sideTail = tail && rest.length === 0;
  // What follows is written once: into a side that has nothing of its own, or as a function for both.
  const inline = goesOn[0] !== goesOn[1] && sides[goesOn[0] ? 0 : 1].length === 0;
  let then = after;
  if (!inline && (goesOn[0] || goesOn[1])) {
    const name = `$k${e.newLoop()}`;
    e.text(`const ${name} = () => {\n`);
    emitEnding(e, owner, rest, tail, after);
    e.text('};\n');
    then = `return ${name}();\n`;
  }
  e.marked(node.start, `return ${owner}.branch(`);
  e.expression(node.test);
  sides.forEach((side, i) => {
    e.text(', () => {\n');
    if (goesOn[i] && inline) emitEnding(e, owner, rest, tail, after);
    else emitEnding(e, owner, side, sideTail, mayEnd(side) ? then : '');
    e.text('}');
  });
  e.text(');\n');
}

/** Whether control may come to the end of the statements. */
function mayEnd(statements: readonly Node[]): boolean {
  const last = statements[statements.length - 1] as AnyNode | undefined;
  switch (last?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return false;
    case 'IfStatement':
      return !last.alternate || mayEnd(statementsOf(last.consequent)) || mayEnd(statementsOf(last.alternate));
    case 'BlockStatement':
      return mayEnd(last.body);
    default:
      return true;
  }
}

const returns = (node: AnyNode): boolean => node.type === 'ReturnStatement';
const jumps = (node: AnyNode): boolean =>
  node.type === 'BreakStatement' || node.type === 'ContinueStatement' || node.type === 'LabeledStatement';

/** Whether a conditional's sides may be functions: nothing in them changes a variable of the function around them. */
export function areClosed(e: Emission, ...sides: readonly Expression[]): boolean {
  return sides.every((side) => staysInside(e, [side]));
}

/**
 * Whether statements neither declare what others see, nor change what others declare: but for variables of their own
 * function, if `changed` is there to collect them, and the store, of which there is then one for each side.
 */
function staysInside(e: Emission, given: readonly (Node | null | undefined)[], changed?: Set<Binding>): boolean {
  const nodes = given.filter((node) => !!node) as Node[];
  if (nodes.length === 0) return true;
  const start = nodes[0].start;
  const end = nodes[nodes.length - 1].end;
  const inside = (offset: number): boolean => offset >= start && offset < end;
  for (const { declaredAt, first, last } of extents(e.analysis)) {
    if (inside(declaredAt) && (first < start || last >= end)) return false;
  }
  return !nodes.some((node) => has(node, (part) => changesOutside(e, part, inside, changed)));
}

function changesOutside(
  e: Emission,
  node: AnyNode,
  inside: (offset: number) => boolean,
  changed: Set<Binding> | undefined,
): boolean {
  const target = targetOf(node);
  if (target === undefined) return false;
  const name = bare(target) as AnyNode;
  if (changed !== undefined && name.type === 'MemberExpression') return !e.isStore(bare(name.object));
  const binding = name.type === 'Identifier' ? e.binding(name) : undefined;
  if (binding === undefined) return true;
  if (inside(binding.declaredAt)) return false;
  const isOwn = binding.scope.home === e.fn.home && binding.startsAs === undefined && binding.import === undefined;
  if (changed === undefined || !isOwn) return true;
  changed.add(binding);
  return false;
}

/** What a piece of syntax assigns to. */
function targetOf(node: AnyNode): Node | undefined {
  switch (node.type) {
    case 'AssignmentExpression':
      return node.left;
    case 'UpdateExpression':
      return node.argument;
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? undefined : node.left;
    default:
      return undefined;
  }
}

interface Extent {
  readonly declaredAt: number;
  first: number;
  last: number;
}

const known = new WeakMap<Analysis, readonly Extent[]>();

/** From where to where each variable of a unit is mentioned. */
function extents(analysis: Analysis): readonly Extent[] {
  let found = known.get(analysis);
  if (found === undefined) {
    const byBinding = new Map<Binding, Extent>();
    for (const { node } of analysis.references) {
      const binding = analysis.resolve(node);
      if (binding === undefined) continue;
      const { declaredAt } = binding;
      const extent = byBinding.get(binding) ?? { declaredAt, first: declaredAt, last: declaredAt };
      extent.first = Math.min(extent.first, node.start);
      extent.last = Math.max(extent.last, node.start);
      byBinding.set(binding, extent);
    }
    found = [...byBinding.values()];
    known.set(analysis, found);
  }
  return found;
}
