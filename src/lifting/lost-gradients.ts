/**
 * Warns where gradients end that the program may count on. No function that gives plain numbers may end them
 * silently.
 */
import { somePart } from '../algebra/parts.ts';
import { variedOf } from '../lanes/varied.ts';
import { carriesGradient } from '../lanes/wanted-leaves.ts';
import { HOW_TO_COMPILE } from '../runtime/compilation.ts';
import { machine, type Run } from '../runtime/machine.ts';
import { isRecord } from '../runtime/values.ts';
import { Node } from '../tensor/node.ts';

/** Whether gradients would pass through the value, or something in it. */
export function carries(value: unknown): boolean {
  if (value instanceof Node) return carriesGradient(value);
  const varied = variedOf(value);
  if (varied !== undefined) return varied.table.some(carries);
  return (Array.isArray(value) || isRecord(value)) && somePart(value, carries);
}

const constant = new WeakSet<object>();

/** Marks a function whose value jumps wherever it changes: gradients rightly end there. */
export const addConstant = (fn: unknown): unknown => constant.add(fn as object);

/** Whether no gradient is lost where the function is given plain numbers. */
export const isConstant = (fn: object): boolean => constant.has(fn);

/** How many warnings each run has had. Finding the place takes time, and a loop may come to it again and again. */
const told = new WeakMap<Run, number>();
const MOST = 20;

/** Warns the user, once for each place, that gradients do not pass through a function. */
export function lostGradient(what: string, given: unknown): void {
  const { run } = machine;
  const times = told.get(run) ?? 0;
  if (times === MOST || !carries(given)) return;
  told.set(run, times + 1);
  const place = run.here?.();
  // Outside a program, the function may be the model itself.
  const advice = run.here === undefined ? ` ${IF_NOT_COMPILED}` : '';
  run.warn(
    `${place === undefined ? '' : `${place}: `}no gradient passes through ${machine.handler.lifted === true ? `${what}, ${OF_FUNCTION}` : OF_INFERENCE}${advice}`,
  );
}

const IF_NOT_COMPILED = `If that is a module of yours that is not compiled: ${HOW_TO_COMPILE}`;

const OF_FUNCTION =
  'which takes a number that gradients are wanted of for a plain one. Write it in arithmetic, Math and the functions of the ' +
  'library if it matters; ad.value(x) says that it does not.';

const OF_INFERENCE =
  'an inference that draws samples, and its model depends on a number that gradients are wanted of. Use method enumerate, depth ' +
  'first, if it matters; ad.value(x) says that it does not.';
