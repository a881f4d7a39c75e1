/** Operators. Plain numbers take the short way through the prelude's helpers, everything else goes to `$`. */
import type {
  AnyNode,
  AssignmentExpression,
  BinaryExpression,
  Expression,
  LogicalExpression,
  MemberExpression,
  UnaryExpression,
  UpdateExpression,
} from 'acorn';
import { isCounter, isPlainNumber, isPlainText } from '../analyse/certain.ts';
import { bare } from '../parse/syntax.ts';
import { isCalledByLanguage } from './called.ts';
import { emitChangedObject, isPutBy, isRoamingChange, plainBinding } from './differing.ts';
import { emitEitherSide } from './either-side.ts';
import type { Emission, Owner } from './emission.ts';
import { emitChain } from './members.ts';
import { emitMemberTarget, emitTargetKey } from './patterns.ts';
import { emitAssignmentApart } from './taken-apart.ts';

/** Longer sums are written as a sequence of steps: nested calls would be deeper than a parser's stack. */
const LONGEST_NESTED = 64;

type Certainty = 'number' | 'text' | 'unknown';

function certainty(e: Emission, node: Expression): Certainty {
  if (isPlainText(node)) return 'text';
  return isPlainNumber(node, (name) => plainBinding(e, name)) ? 'number' : 'unknown';
}

/** The helper an operation needs, undefined if JavaScript's own operator will do; and what its result is. */
function operation(e: Emission, operator: string, left: Certainty, right: Certainty) {
  if (left === 'number' && right === 'number') return { helper: undefined, result: 'number' as Certainty };
  // (Where many executions run as one, JavaScript would look at what is put behind the text.)
  const isOfMany = e.mode === e.columns && (left === 'unknown' || right === 'unknown');
  if (operator === '+' && (left === 'text' || right === 'text') && !isOfMany) {
    return { helper: undefined, result: 'text' as Certainty };
  }
  if (e.tellsComparisons && left === 'unknown' && right === 'unknown') {
    const helper = e.prelude.equality(operator);
    if (helper !== undefined) return { helper, result: 'unknown' as Certainty };
  }
  return { helper: e.mode.binary(e, operator), result: 'unknown' as Certainty };
}

/** Where the operator between two operands is written. */
function operatorOffset(e: Emission, operator: string, left: Expression, right: Expression): number {
  const at = e.source.text.indexOf(operator, left.end);
  return at === -1 || at >= right.start ? left.start : at;
}

export function emitBinary(e: Emission, node: BinaryExpression): void {
  // Operators associate to the left: walk down that side in a loop, then write from the innermost operation out.
  const spine: BinaryExpression[] = [];
  let first = node as Expression;
  while (first.type === 'BinaryExpression') {
    spine.push(first);
    first = bare(first.left as Expression);
  }
  spine.reverse();
  let left = certainty(e, first);
  const steps = spine.map(({ operator, right, left: leftNode }) => {
    const { helper, result } = operation(e, operator, left, certainty(e, right));
    left = result;
    return { operator, helper, right, at: operatorOffset(e, operator, leftNode as Expression, right) };
  });
  if (steps.length > LONGEST_NESTED) {
    emitInSteps(e, first, steps);
    return;
  }
  for (let i = steps.length - 1; i >= 0; i--) {
    const { helper, at } = steps[i];
    if (helper !== undefined) e.marked(at, `${helper}(`);
    else if (i < steps.length - 1) e.text('(');
  }
  e.operand(first);
  steps.forEach(({ operator, helper, right, at }, i) => {
    if (helper !== undefined) e.text(', ');
    else e.marked(at, ` ${operator} `);
    e.operand(right);
    if (helper !== undefined || i < steps.length - 1) e.text(')');
  });
}

interface Step {
  readonly operator: string;
  readonly helper: string | undefined;
  readonly right: Expression;
  readonly at: number;
}

function emitInSteps(e: Emission, first: Expression, steps: readonly Step[]): void {
  const sum = e.fn.take();
  e.text(`(${sum} = `);
  e.expression(first);
  for (const { operator, helper, right, at } of steps) {
    e.marked(at, helper !== undefined ? `, ${sum} = ${helper}(${sum}, ` : `, ${sum} = ${sum} ${operator} `);
    e.operand(right);
    if (helper !== undefined) e.text(')');
  }
  e.text(')');
  e.fn.release(1);
}

export function emitLogical(e: Emission, node: LogicalExpression): void {
  const operands: Expression[] = [];
  let first: Expression = node;
  while (first.type === 'LogicalExpression' && first.operator === node.operator) {
    operands.push(first.right);
    first = bare(first.left);
  }
  e.operand(first);
  for (let i = operands.length - 1; i >= 0; i--) {
    e.text(` ${node.operator} `);
    e.operand(operands[i]);
  }
}

export function emitUnary(e: Emission, node: UnaryExpression): void {
  const argument = bare(node.argument) as AnyNode;
  if (node.operator === '-' && certainty(e, node.argument) !== 'number') {
    e.marked(node.start, `${e.mode.unary(e, 'neg')}(`);
    e.expression(argument);
    e.text(')');
    return;
  }
  e.marked(node.start, `${node.operator} `);
  if (node.operator === 'delete' && argument.type === 'MemberExpression') emitMemberTarget(e, argument);
  else if (node.operator === 'delete' && argument.type === 'ChainExpression') emitChain(e, argument);
  else e.operand(argument);
}

/** `x++` and the like. */
export function emitUpdate(e: Emission, node: UpdateExpression): void {
  emitUpdateAs(e, node, node.prefix ? 'new value' : 'old value');
}

/** `x++` as a statement, whose value is not used. */
export function emitUpdateStatement(e: Emission, node: UpdateExpression): void {
  emitUpdateAs(e, node, 'new value');
}

function emitUpdateAs(e: Emission, node: UpdateExpression, value: 'old value' | 'new value'): void {
  const target = bare(node.argument) as AnyNode;
  const binding = target.type === 'Identifier' ? plainBinding(e, target) : undefined;
  if (binding !== undefined && isCounter(binding)) {
    e.marked(
      node.start,
      value === 'old value' ? `${binding.emitted}${node.operator}` : `${node.operator}${binding.emitted}`,
    );
    return;
  }
  const helper = e.mode.unary(e, node.operator === '++' ? 'inc' : 'dec');
  const place = openPlace(e, target as Expression);
  const [open, end] = place.written;
  if (value === 'new value') {
    e.marked(node.start, `${open}${helper}(${place.text})${end}`);
  } else {
    const old = e.fn.take();
    const numeric = e.mode.unary(e, 'numeric');
    e.marked(node.start, `(${old} = ${numeric}(${place.text}), ${open}${helper}(${old})${end}, ${old})`);
    e.fn.release(1);
  }
  place.close();
}

/** `$.called(key, `, where evaluating the key once more does no harm. */
function emitCalledKey(e: Emission, { property, computed }: MemberExpression): void {
  e.text('$.called(');
  if (computed) e.expression(property);
  else e.text(`'${(property as { name: string }).name}'`);
  e.text(', ');
}

/** A place that is read and then written. */
interface Place {
  readonly text: string;
  /** What stands before and after a value that is written there. */
  readonly written: readonly [string, string];
  close(): void;
}

/** Its object and key are evaluated once. */
function openPlace(e: Emission, target: Expression): Place {
  if (target.type === 'Identifier') {
    const text = e.binding(target)?.emitted ?? target.name;
    return { text, written: [`${text} = `, ''], close() {} };
  }
  const node = target as MemberExpression;
  const object = e.fn.take();
  e.text(`(${object} = `);
  emitChangedObject(e, node, isRoamingChange(e, node));
  let key = '';
  if (node.computed) {
    key = e.fn.take();
    e.text(`, ${key} = `);
    emitTargetKey(e, node);
  }
  e.text(', ');
  const { owner } = e.mode;
  const isPut = isPutBy(e, node);
  const text = node.computed ? `${object}[${key}]` : `${object}.${(node.property as { name: string }).name}`;
  return {
    text: isPut ? `${owner}.get(${object}, ${key})` : text,
    written: isPut ? [`${owner}.put(${object}, ${key}, `, ')'] : [`${text} = `, ''],
    close() {
      e.text(')');
      e.fn.release(node.computed ? 2 : 1);
    },
  };
}

/** `o[k] = v` as a call. */
function emitPut(e: Emission, target: MemberExpression, { start, right }: AssignmentExpression): void {
  e.marked(start, `${e.mode.owner}.put(`);
  e.expression(target.object as Expression);
  e.text(', ');
  emitTargetKey(e, target);
  e.text(', ');
  e.expression(right);
  e.text(')');
}

export function emitAssignment(e: Emission, node: AssignmentExpression): void {
  const target = bare(node.left) as AnyNode;
  const operator = node.operator.slice(0, -1);
  if (e.mode.owner !== undefined && (operator === '||' || operator === '&&')) {
    emitLogicalAssignment(e, e.mode.owner, node, operator);
    return;
  }
  const binding = target.type === 'Identifier' ? plainBinding(e, target) : undefined;
  const native =
    isPlainText(node.right) || (binding !== undefined && isCounter(binding) && certainty(e, node.right) === 'number');
  const helper = native ? undefined : e.mode.binary(e, operator);
  if (helper === undefined) {
    if (operator === '' && emitAssignmentApart(e, target, node.right)) return;
    const isCalled =
      target.type === 'MemberExpression' && isCalledByLanguage(e, target.property, target.computed, node.right);
    if (operator === '' && !isCalled && target.type === 'MemberExpression' && isPutBy(e, target)) {
      emitPut(e, target, node);
      return;
    }
    const destructuring = target.type === 'ObjectPattern';
    if (destructuring) e.text('(');
    e.pattern(node.left);
    e.marked(node.start, ` ${node.operator} `);
    if (isCalled) emitCalledKey(e, target);
    e.expression(node.right);
    if (isCalled || destructuring) e.text(')');
    return;
  }
  const place = openPlace(e, target as Expression);
  e.marked(
    operatorOffset(e, node.operator, node.left as Expression, node.right),
    `${place.written[0]}${helper}(${place.text}, `,
  );
  e.expression(node.right);
  e.text(`)${place.written[1]}`);
  place.close();
}

/**
 * `a ||= b` and `a &&= b` where values may be more than plain ones. A variable has the value of `a || b`. A field is looked at,
 * and not assigned where that decides.
 */
function emitLogicalAssignment(e: Emission, owner: Owner, node: AssignmentExpression, operator: '||' | '&&'): void {
  const target = bare(node.left) as Expression;
  const place = openPlace(e, target);
  const {
    text,
    written: [open, end],
  } = place;
  if (target.type === 'Identifier') {
    e.marked(node.start, `${text} = `);
    emitEitherSide(e, owner, operator, () => e.text(text), node.right);
  } else {
    const before = e.fn.take();
    e.marked(node.start, `${owner}.truth(${before} = ${text}) `);
    e.text(operator === '||' ? `? ${before} : (${open}` : `? (${open}`);
    e.expression(node.right);
    e.text(operator === '||' ? `${end})` : `${end}) : ${before}`);
    e.fn.release(1);
  }
  place.close();
}
