/**
 * `return` in a loop that executions side by side leave at different times. What is returned waits in a variable until all have
 * left, with another that says who has returned; the statements after the loop are for the others:
 *
 *     for (const x of xs) { if (flip(p)) return x; … }      let $v = $C.nothing, $r = false;
 *     return 0;                                             $C.through(xs, (x) => … { $v = x; $r = true; return true; } …);
 *                                                           return $C.branch($r, () => $v, () => { return 0; });
 *
 * No statements are run after an endless loop that only `return` leaves.
 */
import type { AnyNode, DoWhileStatement, ForStatement, Node, ReturnStatement, WhileStatement } from 'acorn';
import type { Binding } from '../analyse/scope.ts';
import { bare, children, isFunction, isLoop } from '../parse/syntax.ts';
import { staysInside } from './closed.ts';
import { has } from './column-text.ts';
import type { Emission } from './emission.ts';
import { Returned } from './returned.ts';

export type Loop = ForStatement | WhileStatement | DoWhileStatement;

export const isReturn = ({ type }: AnyNode): boolean => type === 'ReturnStatement';

/** Whether a loop may return, in a text in which the value can wait; endless loops are written in their own way. */
export function mayReturnFrom(e: Emission, node: Node): boolean {
  if (e.mode !== e.columns || !has((node as Loop).body, isReturn)) return false;
  return node.type === 'ForOfStatement' || e.returning.has(node) || !isLeftByReturns(e, node as Loop);
}

/** Whether an endless loop is left by returning, and in no other way. */
export function isLeftByReturns(e: Emission, node: Loop): boolean {
  if (e.mode !== e.columns || !isEndless(node) || !has(node.body, isReturn)) return false;
  return !ownParts(node.body).some(({ type }) => type === 'BreakStatement');
}

function isEndless(node: Loop): boolean {
  if (node.type === 'DoWhileStatement' || (node.type === 'ForStatement' && (node.init || node.update))) return false;
  return (
    !node.test || ((bare(node.test) as AnyNode).type === 'Literal' && (node.test as { value?: unknown }).value === true)
  );
}

/** What is in a body, but not in loops, switches or functions inside. */
function ownParts(body: Node): AnyNode[] {
  const found: AnyNode[] = [];
  const waiting: Node[] = [body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    found.push(node as AnyNode);
    if (!isFunction(node) && !isLoop(node) && node.type !== 'SwitchStatement') waiting.push(...children(node));
  }
  return found;
}

/** Declares the variables of a loop that returns, which is written next. */
export function beginReturning(e: Emission, loop: Node): Returned {
  const number = e.newLoop();
  const returned = new Returned(`$v${number}`, `$r${number}`);
  e.text(`let ${returned.value} = ${e.mode.owner}.nothing, ${returned.flag} = false;\n`);
  e.returning.set(loop, returned);
  return returned;
}

/** Sets the variables of those that return. */
export const leaving = ({ value, flag }: Returned, given: string): string =>
  `${value} = ${given};\n${flag === null ? '' : `${flag} = true;\n`}`;

/** Whether those who come to a statement leave the loop: of one that rejects, the handler may want more rounds. */
export function leavingAt(e: Emission, node: Node): string {
  const rounds = e.mode === e.columns ? e.roundsAt.get(node) : undefined;
  return rounds === undefined ? 'true' : `${rounds} === null || ${rounds}.accepts()`;
}

/** Writes `return` in a turn. The value is computed for the executions that leave. */
export function emitReturnOfTurn(
  e: Emission,
  node: ReturnStatement,
  returned: Returned,
  accessors: (names: string) => string,
): void {
  const leaves = leavingAt(e, node);
  const assign = (): void => {
    e.text(`${returned.value} = `);
    if (node.argument) e.expression(node.argument);
    else e.text('undefined');
    e.text(`;\n${returned.flag === null ? '' : `${returned.flag} = true;\n`}return true;\n`);
  };
  if (leaves === 'true') {
    assign();
    return;
  }
  const changed = new Set<Binding>();
  staysInside(e, [node.argument], changed);
  e.text(`return ${e.mode.owner}.parting(${leaves}, () => {\n`);
  assign();
  const names = [...[...changed].map(({ emitted }) => emitted), ...returned.names].join(', ');
  e.text(`}, () => false, ${accessors(names)});\n`);
}
