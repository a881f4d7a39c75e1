/**
 * The mode for execution under gradients, in which numbers are nodes of the engine's graph. Programs that may need it get a
 * second text of each function, chosen at entry by `$m.lifted`: operators and conditions go to `$L`
 * (`src/lifting/operators.ts`), library names mean their lifted versions, and call sites keep their numbers, so that
 * addresses are the same.
 *
 * A conditional whose sides may both be evaluated becomes a `select`, and nothing is looked at. Any other is decided by
 * looking at the value (`runtime/force.ts`; `lifting/conditions.ts` where lanes may take different sides). Sides are
 * functions where they can be, so that each is run for those iterations alone that take it.
 *
 * A number that JavaScript or a package computes from plain numbers has no gradient. Functions that calculate have rules
 * (`lifting/numeric-rules.ts`); where any other takes a number whose gradient is wanted (`lanes/wanted-leaves.ts`), the user
 * is told once, with the place (`lost-gradients.ts`).
 *
 * Families are not defined twice: `build/lift.ts` reads `src/distributions/*.ts` a second time and rewrites operators;
 * importing `index.ts?lifted` gives the result. Families of vectors have recorded versions in `lifting/tensor-families.ts`,
 * since their loops over elements would record a node for each.
 */
import type {
  AnyNode,
  ArrayExpression,
  CallExpression,
  ConditionalExpression,
  MemberExpression,
  ObjectExpression,
} from 'acorn';
import { MUTATORS } from '../analyse/hosts.ts';
import { ownObjects } from '../analyse/own-objects.ts';
import { bare } from '../parse/syntax.ts';
import { branching } from './branches.ts';
import { areClosed } from './closed.ts';
import { isRoamingChange, noted } from './differing.ts';
import { mayBeEvaluated } from './either-side.ts';
import type { Emission, Mode } from './emission.ts';
import { emitArray, emitObject, isData } from './objects.ts';
import { emitChoice, operated, operatedExpressions } from './operated.ts';
import { emitOperatedCall, isMutator } from './operated-calls.ts';
import { plainMode } from './plain.ts';
import { libraryName } from './program-names.ts';
import { toldFirst, toldOfOwn, toldWrites } from './shared-writes.ts';

/** The constant that holds the lifted value of a library name. */
export const liftedName = (constant: string): string => `$L_${constant}`;

function emitLiftedConditional(e: Emission, node: ConditionalExpression): void {
  if (mayBeEvaluated(e, node.consequent) && mayBeEvaluated(e, node.alternate)) {
    emitChoice(e, node, '$L.choose(');
    return;
  }
  if (areClosed(e, node.consequent, node.alternate)) emitChoice(e, node, '$L.branch(');
  else plainMode.expressions.ConditionalExpression(e, node as never);
}

/** What is called before a call that changes something. */
function toldOfChange(e: Emission, node: CallExpression): string | undefined {
  if (!changesSomething(e, node)) return undefined;
  const own = ownObjects(e.analysis, e.library);
  const isOwn = !own.isNewList(node) && own.isOwnChange(node);
  return isOwn ? toldOfOwn(e, [(bare(node.callee) as MemberExpression).object]) : 'writing()';
}

/** Whether a call changes the object it is made on, or one that it is given, which others may see. */
function changesSomething(e: Emission, node: CallExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  if (!MUTATORS.has((callee.property as { name: string }).name)) return false;
  const object = bare(callee.object) as AnyNode;
  if (ownObjects(e.analysis, e.library).isNewList(node)) return false;
  // These say themselves whether they may be changed.
  if (!e.inChain && !node.optional && isRoamingChange(e, callee) && isMutator(callee)) return false;
  if (object.type !== 'Identifier') return true;
  // `T.add` makes another tensor, in modules that import `T` too.
  const name = libraryName(e, object) ?? (e.binding(object) === undefined ? object.name : undefined);
  if (name === undefined) return true;
  const [first] = node.arguments;
  return ALTERERS.has(name) && first !== undefined && !FRESH.has(bare(first as AnyNode).type);
}

/** Host objects, and lodash, whose mutators change their first argument. */
const ALTERERS: ReadonlySet<string> = new Set(['Object', 'Reflect', '_']);
const FRESH: ReadonlySet<string> = new Set(['ObjectExpression', 'ArrayExpression']);

/** True of `console.log(…)`: what `console` prints cannot be kept until it is the turn of an iteration. */
function isPrinting(e: Emission, node: CallExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  return callee.type === 'MemberExpression' && e.isFree(bare(callee.object), 'console');
}

function emitLiftedCall(e: Emission, node: CallExpression): void {
  const told = isPrinting(e, node) ? "writing('they print')" : toldOfChange(e, node);
  if (told === undefined || e.inChain) emitOperatedCall(e, '$L', node);
  else toldFirst(e, '$L', node.start, () => emitOperatedCall(e, '$L', node), told);
}

/** An object that the program writes down is noted: iterations side by side make one each. */
function emitNoted<N extends ObjectExpression | ArrayExpression>(
  e: Emission,
  node: N,
  emit: (e: Emission, node: N) => void,
): void {
  const isWhole = isData(node, e);
  // Lists are made by many functions: their maker is not asked for.
  const isNoted = node.type === 'ObjectExpression' || (isWhole && holdsObject(node));
  if (isNoted) e.text(isWhole ? '$L.allMade(' : '$L.made(');
  emit(e, node);
  if (isNoted) e.text(')');
}

const holdsObject = (node: AnyNode | null): boolean =>
  node?.type === 'ObjectExpression' ||
  (node?.type === 'ArrayExpression' && node.elements.some((item) => holdsObject(item)));

const operatedForms = operatedExpressions('$L');

export const liftedMode: Mode = {
  tellsOfWrites: true,
  expressions: {
    ...plainMode.expressions,
    ...toldWrites('$L'),
    ...operatedForms,
    ObjectExpression: noted((e, node) => emitNoted(e, node, emitObject)),
    ArrayExpression: noted((e, node) => emitNoted(e, node, emitArray)),
    NewExpression: noted(operatedForms.NewExpression),
    CallExpression: noted(emitLiftedCall),
    ConditionalExpression: emitLiftedConditional,
  },
  ...branching('$L'),
  ...operated('$L'),
  libraryName: (_e, constant) => liftedName(constant),
};
