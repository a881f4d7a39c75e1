/**
 * The mode of execution under gradients: values may be nodes of a graph. Operators and conditions go to `$L`, library
 * names mean their lifted versions. A conditional is decided by looking at the condition's value, except where both
 * sides may as well be evaluated: then one is selected, and nothing is looked at. Sides are functions where they can be,
 * so that each can be run for those iterations alone that take it.
 *
 * Under gradients numbers are nodes of the engine's graph. Programs that may need that get a second text of each
 * function, beside the plain one and chosen at entry by `$m.lifted`: operators and conditions go to `$L` (`src/lifting/operators.ts`), library names mean their lifted versions, and call sites keep their
 * numbers, so that addresses are the same. It is a second `Mode` of the emitter (`emit/lifted.ts`;
 * what it shares with the mode for columns, below, is in `emit/operated.ts`).
 *
 * What JavaScript or a package makes a plain number of has no gradient. Functions that calculate have rules
 * (`lifting/numeric-rules.ts`); where another one takes a number that gradients are wanted of (`lanes/wanted-leaves.ts`), the
 * user is told once, with the place (`lost-gradients.ts`). `test/lifting/function-gradients.test.ts` holds functions to
 * differences of what they give on plain numbers, and `test/library/every-way.test.ts` every function of the library to its
 * plain result in every way of running.
 *
 * Families are not defined twice either: `build/lift.ts` reads `src/distributions/*.ts` a second time, rewriting operators,
 * and importing `index.ts?lifted` gives the result. What a family asks when it meets a node is the hook
 * `runtime/lifting.ts`. Vector families have recorded versions in `lifting/tensor-families.ts`, since loops over elements
 * would record a node for each.
 *
 * A conditional whose sides may both be evaluated becomes a `select`, and nothing is looked at; any other is decided by looking
 * at the value (`runtime/force.ts`; `lifting/conditions.ts` where lanes may take different sides).
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
import { mayBeEvaluated } from './either-side.ts';
import type { Emission, Mode } from './emission.ts';
import { emitArray, emitObject, isData } from './objects.ts';
import { emitChoice, operated, operatedExpressions } from './operated.ts';
import { emitOperatedCall } from './operated-calls.ts';
import { plainMode } from './plain.ts';
import { libraryName } from './program-names.ts';
import { guarded, guardedWrites, toldOfOwn } from './shared-writes.ts';

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
  else guarded(e, '$L', node.start, () => emitOperatedCall(e, '$L', node), told);
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

export const liftedMode: Mode = {
  guardsWrites: true,
  expressions: {
    ...plainMode.expressions,
    ...guardedWrites('$L'),
    CallExpression: emitLiftedCall,
    ObjectExpression: (e, node) => emitNoted(e, node, emitObject),
    ArrayExpression: (e, node) => emitNoted(e, node, emitArray),
    ...operatedExpressions('$L'),
    ConditionalExpression: emitLiftedConditional,
  },
  ...branching('$L'),
  ...operated('$L'),
  libraryName: (_e, constant) => liftedName(constant),
};
