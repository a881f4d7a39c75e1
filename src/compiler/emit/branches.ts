/**
 * `if` statements in texts in which executions, or iterations, run side by side. Each side becomes a function, which is run
 * for those alone that take it; where a side returns, what follows the statement becomes part of the sides. Sides
 * may change variables of their function, which then have the value of either side. Other statements that change
 * something are left as they are: then all have to agree on the condition, or part.
 */
import type { AnyNode, IfStatement, Node, SwitchStatement } from 'acorn';
import type { Binding } from '../analyse/scope.ts';
import { children, isFunction, isLoop } from '../parse/syntax.ts';
import { staysInside } from './closed.ts';
import { has } from './column-text.ts';
import type { Emission, Mode, Owner } from './emission.ts';
import { mayEnd, statementsOf } from './endings.ts';
import { emitStatements } from './functions.ts';
import { beginReturning } from './loop-returns.ts';
import { isLeftEarly } from './parting-loops.ts';
import { asIfs, emitDiscriminant } from './switches.ts';

/** How bodies and `if` statements are written. */
export function branching(owner: Owner): Pick<Mode, 'body' | 'effects'> {
  return {
    body: (e, statements, tail) => emitEnding(e, owner, statements, tail),
    effects: (e, node) => emitEffects(e, owner, node),
  };
}

/** Writes statements after which their function ends, or does what `after` says. */
function emitEnding(e: Emission, owner: Owner, body: readonly Node[], tail: boolean, after = ''): void {
  for (let i = 0; i < body.length; i++) {
    const statement = body[i];
    const rest = body.slice(i + 1);
    if (statement.type === 'IfStatement' && isEnding(e, statement as IfStatement, rest, tail)) {
      emitReturningIf(e, owner, statement as IfStatement, rest, tail, after);
      return;
    }
    if (isLeftEarly(e, statement) && staysInside(e, rest)) {
      emitReturningLoop(e, owner, statement, rest, tail, after);
      return;
    }
    const ifs = statement.type === 'SwitchStatement' ? asIfs(e, statement as SwitchStatement) : undefined;
    if (ifs !== undefined && isEnding(e, ifs.first, rest, false)) {
      emitDiscriminant(e, ifs);
      // (A `switch` has no value, even where it comes last.)
      emitReturningIf(e, owner, ifs.first, rest, tail && rest.length > 0, after);
      return;
    }
    e.statement(statement, tail && rest.length === 0);
  }
  e.text(after);
}

/** A loop that returns, with the statements after it for the executions that have not returned. */
function emitReturningLoop(
  e: Emission,
  owner: Owner,
  node: Node,
  rest: readonly Node[],
  tail: boolean,
  after: string,
): void {
  const { value, flag } = beginReturning(e, node);
  e.statement(node, false);
  e.marked(node.end, `return ${owner}.branch(${flag}, () => ${value}, () => {\n`);
  emitEnding(e, owner, rest, tail, after);
  e.text('});\n');
}

/** Writes an `if` statement that only has effects, if it is one; false if it is to be written as it stands. */
function emitEffects(e: Emission, owner: Owner, node: IfStatement): boolean {
  const changed = new Set<Binding>();
  const outer = e.mode === e.columns ? new Set<Binding>() : undefined;
  const { consequent, alternate } = node;
  if (has(node, returns) || jumpsOut(e, node)) return false;
  if (![consequent, alternate].every((side) => staysInside(e, [side], changed, outer))) return false;
  const names = [...changed, ...(outer ?? [])].map(({ emitted }) => emitted).join(', ');
  const write = (): void => {
    e.marked(node.start, `${owner}.${names === '' ? 'either' : 'assigning'}(`);
    e.expression(node.test);
    e.text(', () => {\n');
    emitStatements(e, statementsOf(consequent), false);
    e.text('}, () => {\n');
    emitStatements(e, statementsOf(alternate), false);
    e.text(names === '' ? '});\n' : `}, () => [${names}], ($v) => { [${names}] = $v; });\n`);
  };
  if (outer === undefined || outer.size === 0 || e.sided?.fn === e.fn) write();
  else emitOwning(e, owner, [...outer], write);
  return true;
}

/**
 * Writes a statement whose sides change variables of outer functions. It merges what they change, if these are variables of the execution at
 * hand, and not of one around the side that the function was called on: that is found before it. (Statements inside follow it.)
 */
function emitOwning(e: Emission, owner: Owner, bindings: readonly Binding[], write: () => void): void {
  const { sided } = e;
  const executions = new Set(bindings.map((binding) => e.executionOfBinding(binding)!));
  const own = [...executions].map((execution) => `${execution} === $m.execution`).join(' && ');
  const constant = `$o${e.newLoop()}`;
  e.text(`{ const ${constant} = ${owner}.owning(${own});\n`);
  e.sided = { fn: e.fn, constant, bindings: new Set(bindings) };
  write();
  e.sided = sided;
  e.text('}\n');
}

/** Whether an `if`, with the statements after it, can be written as a call that gives the function's value. */
function isEnding(e: Emission, node: IfStatement, rest: readonly Node[], tail: boolean): boolean {
  const givesValue = tail && rest.length === 0;
  if (!givesValue && !has(node, returns)) return false;
  if (jumpsOut(e, node)) return false;
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

const returns = (node: AnyNode): boolean => node.type === 'ReturnStatement';
const jumps = (node: AnyNode): boolean =>
  node.type === 'BreakStatement' || node.type === 'ContinueStatement' || node.type === 'LabeledStatement';

/** Whether there are jumps in a statement that may lead out of it. */
function jumpsOut(e: Emission, node: Node): boolean {
  if (e.mode !== e.columns || has(node, ({ type }) => type === 'LabeledStatement')) return has(node, jumps);
  const own = (part: Node): boolean =>
    jumps(part as AnyNode) || (!isFunction(part) && !isLoop(part) && children(part).some(own));
  return own(node);
}
