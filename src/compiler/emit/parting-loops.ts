/**
 * Loops that executions side by side may leave at different times: by a test that differs, as in `for (i = 0; i < n; i++)`
 * with an n that was drawn, or by a `break`. A turn becomes a function, which is run for the executions that go on; it
 * returns whether they leave, so that `break` returns true, `continue` false, and what follows an `if` with a jump in it
 * becomes part of its sides. Variables of the function around it then hold a value for each execution, whether it left or
 * went on. An endless loop that is left by `return` alone is one, too: what is returned waits in a variable until all have left.
 */
import type {
  AnyNode,
  DoWhileStatement,
  Expression,
  ForOfStatement,
  ForStatement,
  IfStatement,
  Node,
  ReturnStatement,
  Statement,
  SwitchStatement,
  VariableDeclaration,
  WhileStatement,
} from 'acorn';
import { isPlainNumber } from '../analyse/certain.ts';
import type { Binding } from '../analyse/scope.ts';
import { bare, children, isFunction, isLoop } from '../parse/syntax.ts';
import { staysInside } from './closed.ts';
import { has } from './column-text.ts';
import { plainBinding } from './differing.ts';
import type { Emission } from './emission.ts';
import { statementsOf } from './endings.ts';
import { extents } from './extents.ts';
import { asIfs, emitDiscriminant } from './switches.ts';
import { emitTakenApart } from './taken-apart.ts';
import { emitDeclarators, emitUnused } from './variables.ts';

type Loop = ForStatement | WhileStatement | DoWhileStatement;
/** Leaves a place for the step to the next iteration's address, which changes the variables `counter`. */
export type Step = (form: (step: string, counter: string) => string) => void;

/** Whether a loop is to be written as turns, and can be. */
export function isParting(e: Emission, node: Loop): boolean {
  if (e.mode.owner === undefined || e.hasLabels) return false;
  const { test, body } = node;
  const jumps = ownJumps(body);
  if (jumps === undefined || has(body, (part) => NOT_IN_TURNS.has(part.type) && !isLeftBy(e, node, part))) return false;
  if (!jumps && (!test || isPlainTest(e, test))) return false;
  return areVariablesOfTurn(e, body) && changedBy(e, node) !== undefined && canBeTurn(e, statementsOf(body));
}

const NOT_IN_TURNS: ReadonlySet<string> = new Set([
  'ReturnStatement',
  'LabeledStatement',
  'YieldExpression',
  'AwaitExpression',
]);

/** Whether an endless loop is left by returning, and in no other way. */
export function isLeftByReturns(e: Emission, node: Loop): boolean {
  if (e.mode !== e.columns || !isEndless(node) || !has(node.body, isReturn)) return false;
  return !ownParts(node.body).some(({ type }) => type === 'BreakStatement');
}

/** Whether such a loop is left by this statement of its own. */
const isLeftBy = (e: Emission, node: Loop, part: AnyNode): boolean =>
  isReturn(part) && isLeftByReturns(e, node) && ownParts(node.body).includes(part);

const isReturn = ({ type }: AnyNode): boolean => type === 'ReturnStatement';

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

/** Whether there are jumps in a body that belong to its loop; undefined if there are others that cannot be written. */
function ownJumps(given: Node): boolean | undefined {
  let found = false;
  const waiting: { node: AnyNode; inSwitch: boolean }[] = [{ node: given as AnyNode, inSwitch: false }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { node, inSwitch } = at;
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
        extents(e.analysis).some((at) => at.declaredAt === binding.declaredAt && at.first >= id.start)
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

/** Whether each `if` with a jump in it can be written as sides that go on by themselves. */
function canBeTurn(e: Emission, statements: readonly Node[]): boolean {
  return statements.every((statement, i) => {
    if (ownJumps(statement) === false) return true;
    const node = statement as AnyNode;
    if (node.type === 'BreakStatement' || node.type === 'ContinueStatement') return true;
    if (node.type === 'ReturnStatement') return !!node.argument && staysInside(e, [node.argument], new Set());
    const first =
      node.type === 'IfStatement' ? node : node.type === 'SwitchStatement' ? asIfs(e, node)?.first : undefined;
    if (first === undefined || !staysInside(e, [statement, ...statements.slice(i + 1)], new Set())) return false;
    return canBeTurn(e, statementsOf(first.consequent)) && canBeTurn(e, statementsOf(first.alternate));
  });
}

const namesOf = (changed: ReadonlySet<Binding>, returned: string | null = null): string =>
  [...[...changed].map(({ emitted }) => emitted), ...(returned === null ? [] : [returned])].join(', ');
const accessors = (names: string): string => `() => [${names}], ($v) => { [${names}] = $v; }`;

/** Writes the loop as turns; `returned` is the variable of what it is left with, if that is returned. */
export function emitTurns(e: Emission, node: Loop, step: Step, returned: string | null): void {
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
  emitTurn(e, statementsOf(node.body), 'return false;\n', returned);
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
  if (node.left.kind === 'var' || jumps === undefined || has(body, (part) => NOT_IN_TURNS.has(part.type))) return false;
  if (!jumps && isSameForAll(e, node.right)) return false;
  return areVariablesOfTurn(e, body) && staysInside(e, [body], new Set()) && canBeTurn(e, statementsOf(body));
}

/** Writes it as turns. */
export function emitThrough(e: Emission, node: ForOfStatement, isHeld: boolean, step: Step): void {
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
  emitTurn(e, statementsOf(node.body), 'return false;\n');
  e.text(`}}, ${accessors(namesOf(changed))}`);
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

/** Writes statements of a turn; what comes after them is `after`, and what the loop is left with goes to `returned`. */
function emitTurn(e: Emission, statements: readonly Node[], after: string, returned: string | null = null): void {
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
      emitReturnOfTurn(e, node, returned!);
      return;
    }
    if (ownJumps(node) === false) {
      e.statement(node, false);
      continue;
    }
    const ifs = node.type === 'SwitchStatement' ? asIfs(e, node as SwitchStatement)! : undefined;
    if (ifs !== undefined) emitDiscriminant(e, ifs);
    emitParting(e, ifs?.first ?? (node as IfStatement), statements.slice(i + 1) as Statement[], after, returned);
    return;
  }
  e.text(after);
}

/** Whether those who come to a statement leave the loop: of one that rejects, the handler may want more rounds. */
function leavingAt(e: Emission, node: Node): string {
  const rounds = e.mode === e.columns ? e.roundsAt.get(node) : undefined;
  return rounds === undefined ? 'true' : `${rounds} === null || ${rounds}.accepts()`;
}

/** What is returned is found by those who leave. */
function emitReturnOfTurn(e: Emission, node: ReturnStatement, returned: string): void {
  const leaving = leavingAt(e, node);
  const assign = (): void => {
    e.text(`${returned} = `);
    e.expression(node.argument!);
    e.text(';\nreturn true;\n');
  };
  if (leaving === 'true') {
    assign();
    return;
  }
  const changed = new Set<Binding>();
  staysInside(e, [node.argument!], changed);
  e.text(`return ${e.mode.owner}.parting(${leaving}, () => {\n`);
  assign();
  e.text(`}, () => false, ${accessors(namesOf(changed, returned))});\n`);
}

function emitParting(
  e: Emission,
  { test, consequent, alternate, start, end }: IfStatement,
  rest: readonly Statement[],
  after: string,
  returned: string | null,
): void {
  let then = after;
  if (rest.length > 0) {
    const name = `$k${e.newLoop()}`;
    e.text(`const ${name} = () => {\n`);
    emitTurn(e, rest, after, returned);
    e.text('};\n');
    then = `return ${name}();\n`;
  }
  const changed = new Set<Binding>();
  staysInside(e, [{ start, end, type: 'IfStatement', test, consequent, alternate } as Node, ...rest], changed);
  e.marked(start, `return ${e.mode.owner}.parting(`);
  e.expression(test);
  for (const side of [consequent, alternate]) {
    e.text(', () => {\n');
    emitTurn(e, statementsOf(side), then, returned);
    e.text('}');
  }
  e.text(`, ${accessors(namesOf(changed, returned))});\n`);
}
