/**
 * Loops that executions side by side may leave at different times: by a test that differs, as in `for (i = 0; i < n; i++)`
 * with an n that was drawn, or by a `break`. A turn becomes a function, which is run for the executions that go on; it
 * returns whether they leave, so that `break` returns true, `continue` false, and what follows an `if` with a jump in it
 * becomes part of its sides. Variables of the function around it then hold a value for each execution, whether it left or
 * went on. `return` leaves a loop, too (`loop-returns.ts`).
 */
import type {
  AnyNode,
  Expression,
  ForOfStatement,
  IfStatement,
  Node,
  Statement,
  SwitchStatement,
  VariableDeclaration,
} from 'acorn';
import { isPlainNumber } from '../analyse/certain.ts';
import { extents } from '../analyse/extents.ts';
import type { Binding } from '../analyse/scope.ts';
import { bare, children, isFunction, isLoop } from '../parse/syntax.ts';
import { staysInside } from './closed.ts';
import { has } from './column-text.ts';
import { plainBinding } from './differing.ts';
import type { Emission } from './emission.ts';
import { statementsOf } from './endings.ts';
import {
  beginReturning,
  emitReturnOfTurn,
  isLeftByReturns,
  isReturn,
  type Loop,
  leaving,
  leavingAt,
  mayReturnFrom,
} from './loop-returns.ts';
import type { Returned } from './returned.ts';
import { asIfs, emitDiscriminant } from './switches.ts';
import { emitTakenApart } from './taken-apart.ts';
import { emitDeclarators, emitUnused } from './variables.ts';

/** Leaves a place for the step to the next iteration's address, which changes the variables `counter`. */
export type Step = (form: (step: string, counter: string) => string) => void;

/** Whether a loop is to be written as turns, and can be. */
export function isParting(e: Emission, node: Loop): boolean {
  if (e.mode.owner === undefined || e.hasLabels) return false;
  const { test, body } = node;
  const jumps = ownJumps(body);
  if (jumps === undefined || !isFreeOf(e, node)) return false;
  if (!jumps && (!test || isPlainTest(e, test))) return false;
  return areVariablesOfTurn(e, body) && changedBy(e, node) !== undefined && canBeTurn(e, node, statementsOf(body));
}

/** Whether the value that a loop returns can wait in a variable: executions that have not returned go on after the loop. */
export function isLeftEarly(e: Emission, node: Node): node is Loop | ForOfStatement {
  if (!isLoop(node) || !mayReturnFrom(e, node)) return false;
  if (node.type === 'ForInStatement') return false;
  return node.type === 'ForOfStatement' ? isPartingThrough(e, node as ForOfStatement) : isParting(e, node as Loop);
}

/** Whether all of a loop can be written in turns; `return` can, where its value can wait. */
function isFreeOf(e: Emission, node: Loop | ForOfStatement): boolean {
  const mayReturn = mayReturnFrom(e, node) || (node.type !== 'ForOfStatement' && isLeftByReturns(e, node));
  return !has(node.body, (part) => NOT_IN_TURNS.has(part.type) || (isReturn(part) && !mayReturn));
}

const NOT_IN_TURNS: ReadonlySet<string> = new Set(['LabeledStatement', 'YieldExpression', 'AwaitExpression']);

/** Whether there are jumps in a body that leave its turn, from loops inside by returning; undefined if there are others that cannot be written. */
function ownJumps(given: Node): boolean | undefined {
  let found = false;
  const waiting: { node: AnyNode; inSwitch: boolean }[] = [{ node: given as AnyNode, inSwitch: false }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { node, inSwitch } = at;
    if (isLoop(node) && has(node, isReturn)) found = true;
    if (isFunction(node) || isLoop(node)) continue;
    if (isReturn(node)) found = true;
    if (node.type === 'ContinueStatement' || node.type === 'BreakStatement') {
      if (node.label) return undefined;
      if (node.type === 'ContinueStatement' || !inSwitch) found = true;
    }
    const isSwitch = inSwitch || node.type === 'SwitchStatement';
    for (const child of children(node)) waiting.push({ node: child as AnyNode, inSwitch: isSwitch });
  }
  return found;
}

/** Whether all executions agree on the test: a counter compared with a number, or with the length of a list that all have. */
function isPlainTest(e: Emission, given: Expression): boolean {
  const test = bare(given) as AnyNode;
  if (test.type !== 'BinaryExpression' || !/^[<>]=?$/.test(test.operator)) return false;
  return [test.left, test.right].every((side) => {
    const node = bare(side) as AnyNode;
    if (isPlainNumber(node as Expression, (name) => plainBinding(e, name))) return true;
    const isLength =
      node.type === 'MemberExpression' && !node.computed && (node.property as { name: string }).name === 'length';
    return isLength && isSameForAll(e, node.object);
  });
}

/** Whether each variable of the body has its value from the same turn; those of the head must not be kept by functions inside. */
function areVariablesOfTurn(e: Emission, body: Node): boolean {
  const own = new Set<Node>(statementsOf(body));
  const isOwn = (part: AnyNode): boolean => {
    if (part.type !== 'VariableDeclaration' || part.kind !== 'var') return true;
    if (!own.has(part)) return false;
    return part.declarations.every(({ id, init }) => {
      if (!init || id.type !== 'Identifier') return false;
      const binding = e.binding(id);
      return (
        binding !== undefined &&
        [...extents(e.analysis).values()].some((at) => at.declaredAt === binding.declaredAt && at.first >= id.start)
      );
    });
  };
  return !has(body, (part) => !isOwn(part));
}

/** The variables that a loop changes, its head's among them; undefined if it changes something else. */
function changedBy(e: Emission, node: Loop): ReadonlySet<Binding> | undefined {
  const changed = new Set<Binding>();
  const parts: (Node | null | undefined)[] =
    node.type === 'ForStatement'
      ? [node.test, node.update, node.body]
      : node.type === 'DoWhileStatement'
        ? [node.body, node.test]
        : [node.test, node.body];
  if (!staysInside(e, parts, changed)) return undefined;
  return headOf(e, node).some((binding) => changedInBody(e, node.body, binding) && isKept(e, node, binding))
    ? undefined
    : changed;
}

/** The variables that the head of a loop declares for each turn anew. */
function headOf(e: Emission, node: Loop): readonly Binding[] {
  const declaration = node.type === 'ForStatement' ? (node.init as VariableDeclaration | null | undefined) : undefined;
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'let') return [];
  return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [e.binding(id)!] : []));
}

/** Whether a function inside a loop mentions the variable. */
function isKept(e: Emission, node: Node, binding: Binding): boolean {
  const mentions = (part: Node): boolean =>
    (part.type === 'Identifier' && e.binding(part) === binding) || children(part).some(mentions);
  const inside = (part: Node): boolean => (isFunction(part) ? mentions(part) : children(part).some(inside));
  return inside(node);
}

function changedInBody(e: Emission, body: Node, binding: Binding): boolean {
  const changed = new Set<Binding>();
  staysInside(e, [body], changed);
  return changed.has(binding);
}

/**
 * Whether each `if` with a jump in it can be written as sides that go on by themselves, and each loop inside that returns. `later`: the
 * variables that are changed by what follows the statements.
 */
function canBeTurn(
  e: Emission,
  loop: Loop | ForOfStatement,
  statements: readonly Node[],
  later: ReadonlySet<Binding> = new Set(),
): boolean {
  return statements.every((statement, i) => {
    if (ownJumps(statement) === false) return true;
    const node = statement as AnyNode;
    if (node.type === 'BreakStatement' || node.type === 'ContinueStatement') return true;
    if (node.type === 'ReturnStatement') return staysInside(e, [node.argument], new Set());
    // Where lanes rejoin, these variables are named.
    if (hides(statements, later)) return false;
    const rest = statements.slice(i + 1);
    if (isLoop(node)) {
      const isFollowed = loop.type !== 'ForOfStatement' && e.rejections.exitsOf(loop) !== null;
      return !isFollowed && isLeftEarly(e, node) && staysInside(e, rest, new Set());
    }
    const first =
      node.type === 'IfStatement' ? node : node.type === 'SwitchStatement' ? asIfs(e, node)?.first : undefined;
    const changed = new Set(later);
    if (first === undefined || !staysInside(e, [statement, ...rest], changed)) return false;
    return [first.consequent, first.alternate].every((side) => canBeTurn(e, loop, statementsOf(side), changed));
  });
}

/** Whether statements declare variables by the names of others. */
function hides(statements: readonly Node[], others: ReadonlySet<Binding>): boolean {
  const names = new Set([...others].map(({ name }) => name));
  const isNamed = (part: AnyNode): boolean => part.type === 'Identifier' && names.has(part.name);
  return statements.some((statement) => {
    const node = statement as AnyNode;
    if (node.type === 'VariableDeclaration') return node.declarations.some(({ id }) => has(id, isNamed));
    return node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration'
      ? isNamed(node.id as AnyNode)
      : false;
  });
}

const namesOf = (changed: ReadonlySet<Binding>, returned: Returned | null = null): string =>
  [...[...changed].map(({ emitted }) => emitted), ...(returned?.names ?? [])].join(', ');
const accessors = (names: string): string => `() => [${names}], ($v) => { [${names}] = $v; }`;

/** Writes the loop as turns; `returned` is where what it is left with waits, if that is returned. */
export function emitTurns(e: Emission, node: Loop, step: Step, returned: Returned | null): void {
  const changed = changedBy(e, node)!;
  const head = headOf(e, node).filter((binding) => isKept(e, node, binding));
  const plain = head.map(({ emitted }) => emitted);
  // Functions keep what a variable of the head is in their turn.
  const inHead = (write: () => void): void => {
    for (const binding of head) binding.emitted = `$h_${binding.name}`;
    write();
    head.forEach((binding, i) => {
      binding.emitted = plain[i];
    });
  };
  if (node.type === 'ForStatement' && node.init) {
    inHead(() => {
      e.text('{');
      if (node.init!.type === 'VariableDeclaration') emitDeclarators(e, node.init as VariableDeclaration);
      else emitUnused(e, node.init as Expression);
      e.text(';\n');
    });
  }
  e.marked(node.start, `${e.mode.owner}.turns(() => (`);
  inHead(() => {
    if (node.type !== 'DoWhileStatement') step((text) => `${text}, `);
    if (node.test) emitTestOfTurn(e, node.test);
    else e.text('true');
  });
  e.text('), () => {\n');
  if (node.type === 'DoWhileStatement') step((text) => `${text};\n`);
  if (head.length > 0) e.text(`const ${head.map(({ name }, i) => `${plain[i]} = $h_${name}`).join(', ')};\n`);
  emitTurn(e, statementsOf(node.body), GOES_ON, returned);
  e.text('}, () => {');
  inHead(() => {
    if (node.type === 'ForStatement' && node.update) emitUnused(e, node.update);
    e.text(`}, ${accessors(namesOf(changed, returned))}, ${node.type === 'DoWhileStatement'}`);
    // Lanes that start a side again count its turns again.
    step((_step, counter) => `, ${accessors(counter)}`);
    e.text(');');
  });
  if (node.type === 'ForStatement' && node.init) e.text('}');
}

/** A loop that rejects goes on, too, where the handler that follows its rounds does not accept one. */
function emitTestOfTurn(e: Emission, test: Expression): void {
  const rounds = e.mode === e.columns ? e.roundsAt.get(test) : undefined;
  if (rounds === undefined) {
    e.expression(test);
    return;
  }
  const tested = e.fn.take();
  e.text(`(${tested} = `);
  e.expression(test);
  const { owner } = e.mode;
  e.text(`, ${rounds} === null ? ${tested} : ${owner}.orThen(${tested}, () => ${owner}.not(${rounds}.accepts())))`);
  e.fn.release(1);
}

/** Whether `for (const x of xs)` is to be written as turns, and can be: lists may be of different lengths, and there may be jumps. */
export function isPartingThrough(e: Emission, node: ForOfStatement): boolean {
  if (e.mode.owner === undefined || e.hasLabels || node.await || node.left.type !== 'VariableDeclaration') return false;
  const { body } = node;
  const jumps = ownJumps(body);
  if (node.left.kind === 'var' || jumps === undefined || !isFreeOf(e, node)) return false;
  if (!jumps && isSameForAll(e, node.right)) return false;
  return areVariablesOfTurn(e, body) && staysInside(e, [body], new Set()) && canBeTurn(e, node, statementsOf(body));
}

/** Writes it as turns; `returned`: see `emitTurns`. */
export function emitThrough(
  e: Emission,
  node: ForOfStatement,
  isHeld: boolean,
  step: Step,
  returned: Returned | null,
): void {
  const { kind, declarations } = node.left as VariableDeclaration;
  const changed = new Set<Binding>();
  staysInside(e, [node.body], changed);
  e.marked(node.start, `${e.mode.owner}.through(`);
  e.expression(node.right);
  e.text(', (');
  if (isHeld) e.text('$item');
  else e.pattern(declarations[0].id);
  e.text(') => {\n');
  step((text) => `${text};\n`);
  if (isHeld) {
    e.text(`${kind} `);
    e.pattern(declarations[0].id);
    e.text(' = ');
    emitTakenApart(e, declarations[0].id, () => e.text('$item'));
    e.text(';\n');
  }
  // The body may have other variables of these names.
  e.text('{');
  emitTurn(e, statementsOf(node.body), GOES_ON, returned);
  e.text(`}}, ${accessors(namesOf(changed, returned))}`);
  step((_step, counter) => `, ${accessors(counter)}`);
  e.text(');');
}

/** True of what is written down, and of constants of the program: they are the same for all. */
function isSameForAll(e: Emission, given: Node): boolean {
  const node = bare(given) as AnyNode;
  if (node.type === 'ArrayExpression') return !node.elements.some((item) => item?.type === 'SpreadElement');
  if (node.type === 'MemberExpression')
    return isSameForAll(e, node.object) && (!node.computed || node.property.type === 'Literal');
  const binding = node.type === 'Identifier' ? e.binding(node) : undefined;
  return binding !== undefined && binding.scope.home.kind !== 'function';
}

/** What comes after statements of a turn, on each side of an `if` that may leave it: its text, and the variables that it changes. */
interface After {
  readonly text: string;
  readonly changed: ReadonlySet<Binding>;
}

const GOES_ON: After = { text: 'return false;\n', changed: new Set() };

/** Writes statements of a turn; what comes after them is `after`, and what the loop is left with goes to `returned`. */
function emitTurn(e: Emission, statements: readonly Node[], after: After, returned: Returned | null): void {
  for (let i = 0; i < statements.length; i++) {
    const node = statements[i] as AnyNode;
    if (node.type === 'ContinueStatement') {
      e.text('return false;\n');
      return;
    }
    if (node.type === 'BreakStatement') {
      e.text(`return ${leavingAt(e, node)};\n`);
      return;
    }
    if (node.type === 'ReturnStatement') {
      emitReturnOfTurn(e, node, returned!, accessors);
      return;
    }
    if (ownJumps(node) === false) {
      e.statement(node, false);
      continue;
    }
    if (isLoop(node)) {
      emitLoopOfTurn(e, node, statements.slice(i + 1), after, returned!);
      return;
    }
    const ifs = node.type === 'SwitchStatement' ? asIfs(e, node as SwitchStatement)! : undefined;
    if (ifs !== undefined) emitDiscriminant(e, ifs);
    emitParting(e, ifs?.first ?? (node as IfStatement), statements.slice(i + 1) as Statement[], after, returned);
    return;
  }
  e.text(after.text);
}

/** A loop inside that returns: those who have not done so go on with the turn. */
function emitLoopOfTurn(e: Emission, node: Node, rest: readonly Node[], after: After, returned: Returned): void {
  const own = beginReturning(e, node);
  e.statement(node, false);
  const changed = new Set(after.changed);
  staysInside(e, rest, changed);
  e.marked(node.end, `return ${e.mode.owner}.parting(${own.flag}, () => {\n`);
  e.text(`${leaving(returned, own.value)}return true;\n}, () => {\n`);
  emitTurn(e, rest, after, returned);
  e.text(`}, ${accessors(namesOf(changed, returned))});\n`);
}

function emitParting(
  e: Emission,
  { test, consequent, alternate, start, end }: IfStatement,
  rest: readonly Statement[],
  after: After,
  returned: Returned | null,
): void {
  let then = after.text;
  if (rest.length > 0) {
    const name = `$k${e.newLoop()}`;
    e.text(`const ${name} = () => {\n`);
    emitTurn(e, rest, after, returned);
    e.text('};\n');
    then = `return ${name}();\n`;
  }
  const changed = new Set(after.changed);
  staysInside(e, [{ start, end, type: 'IfStatement', test, consequent, alternate } as Node, ...rest], changed);
  e.marked(start, `return ${e.mode.owner}.parting(`);
  e.expression(test);
  for (const side of [consequent, alternate]) {
    e.text(', () => {\n');
    emitTurn(e, statementsOf(side), { text: then, changed }, returned);
    e.text('}');
  }
  e.text(`, ${accessors(namesOf(changed, returned))});\n`);
}
