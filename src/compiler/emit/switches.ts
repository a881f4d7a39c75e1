/**
 * `switch` where values may be more than plain ones. One whose cases each end by themselves becomes a sequence of `if` statements, so that
 * each case is run for those alone that take it. Any other is JavaScript's own, by the number of the case that is taken.
 */
import type {
  AnyNode,
  BinaryExpression,
  BlockStatement,
  Expression,
  IfStatement,
  Node,
  Statement,
  SwitchCase,
  SwitchStatement,
} from 'acorn';
import { extents } from '../analyse/extents.ts';
import { bare, children, isFunction, isLoop } from '../parse/syntax.ts';
import { mayBeEvaluated } from './either-side.ts';
import type { Emission, Owner } from './emission.ts';
import { mayEnd } from './endings.ts';
import { emitStatements } from './functions.ts';
import { held } from './held.ts';

/** A `switch` as `if` statements. */
interface Ifs {
  readonly first: IfStatement;
  /** What the cases are compared with, and the constant that holds it. */
  readonly discriminant: Expression;
  readonly name: string;
}

/** Cases that have their statements in common. */
interface Arm {
  readonly cases: readonly SwitchCase[];
  readonly body: readonly Statement[];
  readonly start: number;
  readonly end: number;
}

export function emitOperatedSwitch(e: Emission, owner: Owner, node: SwitchStatement): void {
  const ifs = asIfs(e, node);
  if (ifs === undefined) {
    emitByNumber(e, owner, node);
    return;
  }
  emitDiscriminant(e, ifs);
  e.statement(ifs.first, false);
}

export function emitDiscriminant(e: Emission, { name, discriminant }: Ifs): void {
  e.marked(discriminant.start, `const ${name} = `);
  e.expression(discriminant);
  e.text(';\n');
}

/** The cases are looked at one after the other, and the first that fits is taken by its number. */
function emitByNumber(e: Emission, owner: Owner, { start, discriminant, cases }: SwitchStatement): void {
  const value = e.fn.take();
  e.marked(start, `switch (${value} = `);
  e.expression(discriminant);
  cases.forEach(({ test }, i) => {
    if (!test) return;
    e.text(`${cases.slice(0, i).some((other) => other.test) ? ' :' : ','} ${owner}.truth(${owner}.eq(${value}, `);
    e.expression(test);
    e.text(`)) ? ${i}`);
  });
  e.text(cases.some(({ test }) => test) ? ' : -1) {\n' : ', -1) {\n');
  e.fn.release(1);
  cases.forEach(({ test, consequent }, i) => {
    e.text(test ? `case ${i}:\n` : 'default:\n');
    emitStatements(e, consequent, false);
  });
  e.text('}\n');
}

/** The `if` statements that stand for a `switch`; undefined if there are none that do the same. */
export function asIfs(e: Emission, node: SwitchStatement): Ifs | undefined {
  const arms = armsOf(node);
  const tested = arms.filter(({ cases }) => cases.every(({ test }) => test));
  if (tested.length === 0 || !areApart(e, node, arms)) return undefined;
  const standard = arms.find((arm) => !tested.includes(arm));
  // What is compared before the default is taken anyway need not be compared.
  if (standard?.cases.some(({ test }) => test && !mayBeEvaluated(e, test))) return undefined;
  const bodies = new Map(arms.map((arm, i) => [arm, endingBody(arm.body, i === arms.length - 1)]));
  if ([...bodies.values()].some((body) => body === undefined || body.some(breaksSwitch))) return undefined;
  const name = `$s${e.newLoop()}`;
  const block = (arm: Arm): BlockStatement => ({
    type: 'BlockStatement',
    body: bodies.get(arm) as Statement[],
    start: arm.start,
    end: arm.end,
  });
  let rest: Statement | null = standard === undefined ? null : block(standard);
  for (const arm of tested.toReversed()) {
    const test = testOf(arm, name);
    rest = { type: 'IfStatement', test, consequent: block(arm), alternate: rest, start: arm.start, end: node.end };
  }
  return { first: rest as IfStatement, discriminant: node.discriminant, name };
}

function armsOf({ cases }: SwitchStatement): Arm[] {
  const arms: Arm[] = [];
  let open: SwitchCase[] = [];
  cases.forEach((one, i) => {
    open.push(one);
    if (one.consequent.length === 0 && i < cases.length - 1) return;
    arms.push({ cases: open, body: one.consequent, start: open[0].start, end: one.end });
    open = [];
  });
  return arms;
}

/** Whether no statement mentions what those of another arm declare. */
function areApart(e: Emission, { start, end }: SwitchStatement, arms: readonly Arm[]): boolean {
  return [...extents(e.analysis).values()].every(({ declaredAt, first, last }) => {
    if (declaredAt < start || declaredAt >= end) return true;
    const home = arms.find((arm) => declaredAt >= arm.start && declaredAt < arm.end);
    return home !== undefined && first >= home.start && last < home.end;
  });
}

/** The statements without the `break` that ends them; undefined if control goes on to those of the next case. */
function endingBody(body: readonly Statement[], isLast: boolean): readonly Statement[] | undefined {
  const last = body.at(-1) as AnyNode | undefined;
  if (last?.type === 'BreakStatement' && !last.label) return body.slice(0, -1);
  if (last?.type === 'BlockStatement') {
    const inner = endingBody(last.body, isLast);
    return inner && [...body.slice(0, -1), { ...last, body: inner as Statement[] }];
  }
  return isLast || !mayEnd(body) || last?.type === 'ContinueStatement' ? body : undefined;
}

/** Whether there is a `break` in it that ends the `switch` around it. */
function breaksSwitch(given: Node): boolean {
  const node = given as AnyNode;
  if (node.type === 'BreakStatement') return !node.label;
  if (isFunction(node) || isLoop(node) || node.type === 'SwitchStatement') return false;
  return children(node).some(breaksSwitch);
}

/** Whether the value held is one of those of an arm's cases. */
function testOf({ cases }: Arm, name: string): Expression {
  const tests = cases.map(({ test, start, end }): Expression => {
    const right = bare(test!);
    const left = held(name, right.start);
    return { type: 'BinaryExpression', operator: '===', left, right, start, end } as BinaryExpression;
  });
  return tests.reduce((left, right) => {
    const { start } = left;
    return { type: 'LogicalExpression', operator: '||', left, right, start, end: right.end } as Expression;
  });
}
