/**
 * Calls in texts in which values may be more than numbers. Functions that are not the program's nor the library's know
 * nothing of such values: they are called by `$L` or `$C`, and where the program names one as a value it gets one that is fit.
 */
import type { AnyNode, CallExpression, Expression, Identifier, MemberExpression, NewExpression, Node } from 'acorn';
import { KEYED_MUTATORS, OWN_MUTATORS } from '../analyse/hosts.ts';
import { bare } from '../parse/syntax.ts';
import { emitArguments, emitCall, emitCallArguments } from './calls.ts';
import { isRoamingChange } from './differing.ts';
import type { Emission, Owner } from './emission.ts';
import { reference } from './names.ts';
import { isProgramFunction, libraryName } from './program-names.ts';

/** What tells the time: another one in every step, so that it is not to be recorded. */
export const CLOCKS: ReadonlySet<string> = new Set(['Date', 'performance']);

/** True of a name that neither the program nor the library declares. */
const isHostName = (e: Emission, node: AnyNode): boolean =>
  node.type === 'Identifier' && e.binding(node) === undefined && !e.free.has(node.name);

const globals = globalThis as Readonly<Record<string, unknown>>;

/** True of the name of a host function. */
const isHostFunction = (e: Emission, node: AnyNode): boolean =>
  isHostName(e, node) && typeof globals[(node as Identifier).name] === 'function';

/** True of `_`. */
const isLodash = (e: Emission, node: AnyNode): boolean => libraryName(e, node) === '_';

/** True of `Number.isFinite`, `_.identity` and their like. */
function isHostField(e: Emission, given: Node): boolean {
  const node = bare(given) as AnyNode;
  if (node.type !== 'MemberExpression' || node.computed || node.optional) return false;
  const object = bare(node.object) as AnyNode;
  if (isLodash(e, object)) return true;
  if (!isHostName(e, object) || e.isFree(object, 'Math')) return false;
  const owner = globals[(object as Identifier).name] as Record<string, unknown> | undefined;
  return typeof owner?.[(node.property as Identifier).name] === 'function';
}

/** Whether a name may stand for a host function: it is one, or a variable of the program that is given one. */
function mayBeHostFunction(e: Emission, node: Identifier): boolean {
  const binding = e.binding(node);
  if (binding === undefined) return isHostFunction(e, node);
  if (binding.import !== undefined) return binding.import.module !== undefined;
  return binding.writes.some(
    ({ value }) => value != null && (isHostFunction(e, bare(value) as AnyNode) || isHostField(e, value)),
  );
}

/** The text for a name; one that may stand for a host function is made fit. */
export function fitReference(e: Emission, owner: Owner, node: Identifier): string {
  const name = reference(e, node);
  return mayBeHostFunction(e, node) ? `${owner}.called(${name})` : name;
}

/** Writes `Number.isFinite` and its like as a value, if it is that. */
export function emitHostField(e: Emission, owner: Owner, node: MemberExpression): boolean {
  if (e.inChain) return false;
  const object = bare(node.object) as AnyNode;
  if (isHostField(e, node)) {
    e.marked(node.start, `${owner}.hostField(`);
    emitRaw(e, object);
    e.text(', ');
    e.text(`${JSON.stringify((node.property as Identifier).name)})`);
    return true;
  }
  if (node.computed || node.optional || !isHostFunction(e, object)) return false;
  emitRaw(e, object);
  e.marked(node.property.start, `.${(node.property as Identifier).name}`);
  return true;
}

/** Whether the callee is certain to know of values that are more than numbers. */
function isKnowing(e: Emission, callee: AnyNode): boolean {
  return isProgramFunction(e, callee) || libraryName(e, callee) !== undefined;
}

/** How a method call finds its function; undefined if it is written as it stands. */
function finderOf(e: Emission, owner: Owner, method: MemberExpression): string | undefined {
  const object = bare(method.object) as AnyNode;
  if (e.isFree(object, 'Math') || method.optional) return undefined;
  if (isLodash(e, object) || isHostName(e, object)) return `${owner}.hostMethod(`;
  // The library's own objects are lifted whole.
  return owner === '$L' && libraryName(e, object) !== undefined ? undefined : `${owner}.method(`;
}

export function emitOperatedCall(e: Emission, owner: Owner, node: CallExpression): void {
  const callee = bare(node.callee) as AnyNode;
  const method = callee.type === 'MemberExpression' ? callee : undefined;
  const finder = method === undefined ? `${owner}.called(` : finderOf(e, owner, method);
  const asItStands =
    e.inChain || node.optional || finder === undefined || (method === undefined && isKnowing(e, callee));
  if (asItStands) {
    emitCall(e, node);
    return;
  }
  e.marked(callee.start, finder);
  if (method === undefined) emitRaw(e, callee);
  else {
    const isChange = isMutator(method) && isRoamingChange(e, method);
    if (isChange) e.text(`${owner}.changed(`);
    emitRaw(e, bare(method.object) as AnyNode);
    if (isChange) e.text(`, ${JSON.stringify((method.property as Identifier).name)})`);
    e.text(', ');
    if (method.computed) e.expression(method.property);
    else e.text(JSON.stringify((method.property as Identifier).name));
  }
  e.marked(node.callee.end, ')(');
  emitCallArguments(e, node);
  e.text(')');
}

/** Whether a method may be one that changes a list, a Map or a Set. */
export const isMutator = ({ computed, property }: MemberExpression): boolean => {
  const { name } = property as Identifier;
  return !computed && (OWN_MUTATORS.has(name) || KEYED_MUTATORS.has(name));
};

/** Writes a host name as it is, for callers that know what it stands for. */
function emitRaw(e: Emission, node: AnyNode): void {
  if (isHostFunction(e, node) && !CLOCKS.has((node as Identifier).name))
    e.marked(node.start, (node as Identifier).name);
  else e.expression(node as Expression);
}

export function emitOperatedNew(e: Emission, owner: Owner, node: NewExpression): void {
  e.marked(node.start, `${owner}.construct(`);
  emitRaw(e, bare(node.callee) as AnyNode);
  if (node.arguments.length > 0) e.text(', ');
  emitArguments(e, node.arguments);
  e.text(')');
}
