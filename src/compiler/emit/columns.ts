/**
 * The mode of executions that run side by side: values may be columns, with a number for each of them. Operators,
 * conditions and calls go to `$C`, library names mean what they mean for columns. The two sides of a conditional are
 * functions, so that each can be run for those executions alone that take it.
 */
import type {
  AnyNode,
  ArrayExpression,
  CallExpression,
  ConditionalExpression,
  Expression,
  Identifier,
  LogicalExpression,
  MemberExpression,
  SpreadElement,
  TemplateLiteral,
} from 'acorn';
import { bare } from '../parse/syntax.ts';
import { branching } from './branches.ts';
import { emitArguments } from './calls.ts';
import { areClosed } from './closed.ts';
import { isColumnObject, noted } from './differing.ts';
import { mayBeEvaluated } from './either-side.ts';
import type { Emission, Mode } from './emission.ts';
import { emitArray, emitObject, emitTemplate } from './objects.ts';
import { emitChoice, operated, operatedExpressions } from './operated.ts';
import { emitOperatedCall } from './operated-calls.ts';
import { plainMode } from './plain.ts';
import { libraryName } from './program-names.ts';
import { toldWrites } from './shared-writes.ts';
import { emitDrawingAnew } from './tail-loops.ts';

/** The constant that holds what a library name means for columns. */
export const columnName = (constant: string): string => `$C_${constant}`;

function emitColumnConditional(e: Emission, node: ConditionalExpression): void {
  if (!areClosed(e, node.consequent, node.alternate)) {
    plainMode.expressions.ConditionalExpression(e, node as never);
    return;
  }
  const both = mayBeEvaluated(e, node.consequent) && mayBeEvaluated(e, node.alternate);
  const calls = [bare(node.consequent), bare(node.alternate)] as AnyNode[];
  if (!both && areAlternatives(e, calls)) {
    emitAlternatives(e, node, calls);
    return;
  }
  emitChoice(e, node, both ? '$C.choose(' : '$C.branch(');
}

/** Whether both are calls of one function of the library, with arguments that may be evaluated in any case. */
function areAlternatives(e: Emission, calls: readonly AnyNode[]): calls is readonly CallExpression[] {
  const names = calls.map((call) =>
    call.type === 'CallExpression' ? libraryName(e, bare(call.callee) as AnyNode) : undefined,
  );
  if (names[0] === undefined || names[0] !== names[1]) return false;
  return (calls as readonly CallExpression[]).every(
    ({ optional, arguments: given }) =>
      !optional && given.length > 0 && given.every((argument) => mayBeEvaluated(e, argument as Expression)),
  );
}

function emitAlternatives(e: Emission, node: ConditionalExpression, calls: readonly CallExpression[]): void {
  emitChoice(e, node, '$C.alternatives(', () => {
    e.text(', ');
    e.expression(calls[0].callee);
    for (const call of calls) {
      e.text(', () => [');
      emitArguments(e, call.arguments);
      e.text(']');
    }
  });
}

/** `[...a, b]`: lists that are spread may be of different lengths. */
function emitSpreadArray(e: Emission, node: ArrayExpression): void {
  if (!node.elements.some((item) => item?.type === 'SpreadElement') || node.elements.includes(null)) emitArray(e, node);
  else emitSpreadItems(e, node.elements as readonly (Expression | SpreadElement)[]);
}

function emitSpreadItems(e: Emission, items: readonly (Expression | SpreadElement)[]): void {
  e.text(`$C.spread('${items.map(({ type }) => (type === 'SpreadElement' ? '1' : '0')).join('')}'`);
  for (const item of items) {
    e.text(', ');
    e.expression(item.type === 'SpreadElement' ? item.argument : item);
  }
  e.text(')');
}

/** `${a} b`: a function of what is in it, which may differ. */
function emitColumnTemplate(e: Emission, node: TemplateLiteral): void {
  if (node.expressions.length === 0) {
    emitTemplate(e, node);
    return;
  }
  e.marked(node.start, '$C.text((...$q) => `');
  node.quasis.forEach((quasi, i) => {
    e.text(quasi.value.raw);
    if (i < node.expressions.length) e.text(`\${$q[${i}]}`);
  });
  e.text('`');
  for (const part of node.expressions) {
    e.text(', ');
    e.expression(part);
  }
  e.text(')');
}

/** Calls: `Math.max(...xs)` is one of the items of a list. */
function emitColumnCall(e: Emission, node: CallExpression): void {
  const callee = bare(node.callee) as AnyNode;
  const isOfItems =
    callee.type === 'MemberExpression' &&
    !callee.computed &&
    !node.optional &&
    !e.inChain &&
    e.isFree(bare(callee.object), 'Math') &&
    MOST_AND_LEAST.has((callee.property as Identifier).name) &&
    node.arguments.some(({ type }) => type === 'SpreadElement');
  if (!isOfItems) {
    emitDrawingAnew(e, node, () => emitOperatedCall(e, '$C', node));
    return;
  }
  const { name } = (callee as MemberExpression).property as Identifier;
  e.marked(node.start, `$C.ofItems($C.math.${name}, Math.${name}, `);
  emitSpreadItems(e, node.arguments);
  e.text(')');
}

const MOST_AND_LEAST: ReadonlySet<string> = new Set(['max', 'min', 'hypot']);

const operatedForms = operatedExpressions('$C');

/** `xs.length`, which may differ. */
function emitColumnMember(e: Emission, node: MemberExpression): void {
  const isLength = !node.computed && !node.optional && !e.inChain && (node.property as Identifier).name === 'length';
  if (!isLength) {
    operatedForms.MemberExpression(e, node);
    return;
  }
  e.marked(node.property.start, '$C.lengthOf(');
  e.expression(node.object);
  e.text(')');
}

/** `counts[k] || 0`, `map.get(k) ?? 0`, of an object that is each execution's own: some may have nothing there. */
function emitColumnLogical(e: Emission, node: LogicalExpression): void {
  const place = node.operator === '&&' ? undefined : ownPlace(e, bare(node.left) as AnyNode);
  if (place === undefined || !areClosed(e, node.right)) {
    operatedForms.LogicalExpression(e, node);
    return;
  }
  e.marked(node.start, '$C.itemOr(');
  e.expression(place.object);
  e.text(', ');
  e.expression(place.key);
  e.text(`, '${node.operator}', () => `);
  e.operand(node.right);
  e.text(')');
}

/** The object and the key of what is read. */
function ownPlace(e: Emission, node: AnyNode): { readonly object: Expression; readonly key: Expression } | undefined {
  if (e.inChain) return undefined;
  if (node.type === 'MemberExpression' && node.computed && !node.optional && isColumnObject(e, node.object)) {
    return { object: node.object as Expression, key: node.property as Expression };
  }
  const callee = node.type === 'CallExpression' && !node.optional ? (bare(node.callee) as AnyNode) : undefined;
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || callee.computed || callee.optional)
    return undefined;
  const [key] = node.arguments;
  const isGet = (callee.property as Identifier).name === 'get' && node.arguments.length === 1;
  if (!isGet || key.type === 'SpreadElement' || !isColumnObject(e, callee.object)) return undefined;
  return { object: callee.object as Expression, key };
}

export const columnMode: Mode = {
  tellsOfWrites: true,
  expressions: {
    ...plainMode.expressions,
    ...toldWrites('$C'),
    ...operatedForms,
    ArrayExpression: noted(emitSpreadArray),
    ObjectExpression: noted(emitObject),
    NewExpression: noted(operatedForms.NewExpression),
    TemplateLiteral: emitColumnTemplate,
    MemberExpression: emitColumnMember,
    LogicalExpression: emitColumnLogical,
    ConditionalExpression: emitColumnConditional,
    CallExpression: noted(emitColumnCall),
  },
  ...branching('$C'),
  ...operated('$C'),
  libraryName: (_e, constant) => columnName(constant),
};
