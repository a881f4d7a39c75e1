/**
 * The mode of execution under gradients: values may be nodes of a graph. Operators and conditions go to `$L`, library
 * names mean their lifted versions. A conditional is decided by looking at the condition's value, except where both
 * sides may as well be evaluated: then one is selected, and nothing is looked at.
 */
import type {
  AnyNode,
  AssignmentExpression,
  CallExpression,
  ConditionalExpression,
  Expression,
  Identifier,
  LogicalExpression,
  MemberExpression,
  UnaryExpression,
  UpdateExpression,
} from 'acorn';
import { MUTATORS } from '../analyse/hosts.ts';
import { ARITHMETIC, COMPARISONS } from '../operator-names.ts';
import { bare } from '../parse/syntax.ts';
import { emitAssignment, emitUnary, emitUpdate } from './arithmetic.ts';
import { emitCall } from './calls.ts';
import type { Emission, Mode } from './emission.ts';
import { emitHostCall, isPrinting, withAnswers } from './lifted-hosts.ts';
import { emitMember, mayBeIndex } from './members.ts';
import { reference } from './names.ts';
import { plainMode } from './plain.ts';

/** The constant that holds the lifted value of a library name. */
export const liftedName = (constant: string): string => `$L_${constant}`;

/** What operators are called where they are functions. */
export const BINARY: { readonly [operator: string]: string } = {
  ...ARITHMETIC,
  ...COMPARISONS,
  '==': 'looseEq',
  '!=': 'looseNe',
};

/** True of expressions without calls (but for Math), assignments and accesses that may fail: cheap and total. */
export function mayBeEvaluated(e: Emission, given: Expression): boolean {
  const node = bare(given) as AnyNode;
  const all = (...parts: readonly (Expression | AnyNode)[]) =>
    parts.every((part) => mayBeEvaluated(e, part as Expression));
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
      return true;
    case 'UnaryExpression':
      return node.operator !== 'delete' && all(node.argument);
    case 'BinaryExpression':
      return node.operator !== 'in' && node.operator !== 'instanceof' && all(node.left as Expression, node.right);
    case 'LogicalExpression':
      return all(node.left, node.right);
    case 'ConditionalExpression':
      return all(node.test, node.consequent, node.alternate);
    case 'MemberExpression':
      // Where reading a field fails, `choose` decides after all.
      return all(node.object as Expression, ...(node.computed ? [node.property as Expression] : []));
    case 'CallExpression':
      return isMath(e, node.callee as Expression) && all(...(node.arguments as Expression[]));
    default:
      return false;
  }
}

function isMath(e: Emission, callee: Expression): boolean {
  const node = bare(callee) as AnyNode;
  return node.type === 'MemberExpression' && !node.computed && e.isFree(bare(node.object), 'Math');
}

function emitLiftedIdentifier(e: Emission, node: Identifier): void {
  e.marked(node.start, e.isFree(node, 'Math') ? liftedMode.math : reference(e, node));
}

function emitLiftedConditional(e: Emission, node: ConditionalExpression): void {
  if (mayBeEvaluated(e, node.consequent) && mayBeEvaluated(e, node.alternate)) {
    e.marked(node.start, '$L.choose(');
    e.expression(node.test);
    e.text(', () => ');
    e.operand(node.consequent);
    e.text(', () => ');
    e.operand(node.alternate);
    e.text(')');
    return;
  }
  e.mode.condition(e, node.test);
  e.text(' ? ');
  e.operand(node.consequent);
  e.text(' : ');
  e.operand(node.alternate);
}

function emitLiftedLogical(e: Emission, node: LogicalExpression): void {
  if (node.operator === '??') {
    e.operand(node.left);
    e.text(' ?? ');
    e.operand(node.right);
    return;
  }
  const both = mayBeEvaluated(e, node.right);
  e.marked(node.start, `$L.${node.operator === '&&' ? 'and' : 'or'}(${both ? '' : '$L.plain('}`);
  e.expression(node.left);
  e.text(`${both ? '' : ')'}, () => `);
  e.operand(node.right);
  e.text(')');
}

function emitLiftedUnary(e: Emission, node: UnaryExpression): void {
  const wrapper = { '!': '$L.not(', '+': '+$L.plain(', '~': '~$L.plain(', typeof: '$L.typeOf(' }[
    node.operator as string
  ];
  if (wrapper === undefined) {
    emitUnary(e, node);
    return;
  }
  e.marked(node.start, wrapper);
  e.expression(node.argument);
  e.text(')');
}

/** `o[i]`, where the index may be a node: an element is then gathered, and nothing is looked at. */
function emitLiftedMember(e: Emission, node: MemberExpression): void {
  if (!node.computed || e.inChain || !mayBeIndex(node.property as Expression)) {
    emitMember(e, node);
    return;
  }
  e.marked(node.property.start, '$L.get(');
  e.expression(node.object);
  e.text(', ');
  e.expression(node.property);
  e.text(')');
}

/** True of a variable of an outer function, or a field of an object that others may hold. */
function isShared(e: Emission, given: Expression | AnyNode): boolean {
  const target = bare(given) as AnyNode;
  if (target.type === 'Identifier') return e.isOuterWrite(target);
  if (target.type === 'MemberExpression') return !e.isStore(bare(target.object));
  return true;
}

/** Says first that something is changed which iterations share: `$L.writing` knows whether that matters. */
function guarded(e: Emission, at: number, write: () => void, reason = ''): void {
  e.marked(at, `($L.writing(${reason}), `);
  write();
  e.text(')');
}

function emitLiftedAssignment(e: Emission, node: AssignmentExpression): void {
  if (isShared(e, node.left as AnyNode)) guarded(e, node.start, () => emitAssignment(e, node));
  else emitAssignment(e, node);
}

function emitLiftedUpdate(e: Emission, node: UpdateExpression): void {
  if (isShared(e, node.argument)) guarded(e, node.start, () => emitUpdate(e, node));
  else emitUpdate(e, node);
}

/** Whether a call changes the object it is made on, or one that it is given, which others may see. */
function changesSomething(e: Emission, node: CallExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  if (!MUTATORS.has((callee.property as { name: string }).name)) return false;
  const object = bare(callee.object) as AnyNode;
  if (object.type !== 'Identifier' || e.binding(object) !== undefined) return true;
  const [first] = node.arguments;
  return ALTERERS.has(object.name) && first !== undefined && !FRESH.has(bare(first as AnyNode).type);
}

/** Objects of the host, and lodash, whose mutators change their first argument. */
const ALTERERS: ReadonlySet<string> = new Set(['Object', 'Reflect', '_']);
const FRESH: ReadonlySet<string> = new Set(['ObjectExpression', 'ArrayExpression']);

function emitLiftedCall(e: Emission, node: CallExpression): void {
  if (emitHostCall(e, node)) return;
  if (isPrinting(e, node) && !e.inChain) {
    guarded(e, node.start, () => emitCall(e, node), "'they print'");
    return;
  }
  const changes = changesSomething(e, node);
  if (changes && !e.inChain) guarded(e, node.start, () => emitCall(e, node));
  else emitCall(e, node);
}

export const liftedMode: Mode = {
  guardsWrites: true,
  expressions: withAnswers({
    ...plainMode.expressions,
    AssignmentExpression: emitLiftedAssignment,
    UpdateExpression: emitLiftedUpdate,
    CallExpression: emitLiftedCall,
    MemberExpression: emitLiftedMember,
    Identifier: emitLiftedIdentifier,
    ConditionalExpression: emitLiftedConditional,
    LogicalExpression: emitLiftedLogical,
    UnaryExpression: emitLiftedUnary,
  }),
  condition(e, test) {
    e.text('$L.truth(');
    e.expression(test);
    e.text(')');
  },
  discriminant(e, value) {
    e.text('$L.plain(');
    e.expression(value);
    e.text(')');
  },
  binary: (_e, operator) => (operator in BINARY ? `$L.${BINARY[operator]}` : undefined),
  unary: (_e, name) => `$L.${name}`,
  math: '$L.math',
  libraryName: (_e, constant) => liftedName(constant),
};
