/**
 * What must be true of a checkpoint's contents. The checksum says that they are as they were written, and not that it was
 * Waymark: going on from an array too few would give numbers that look right.
 */
import type { NamedArray, Numbers } from '../io/container.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Identity } from './checkpoint-identity.ts';
import type { Memory } from './update-rules.ts';

export interface Meta {
  readonly identity: Identity;
  readonly steps: number;
  readonly step: number;
  readonly stopped: boolean;
  readonly skipped: number;
  /** Names of what the estimator remembers. */
  readonly estimator: readonly string[];
  /** Names of the parameters, and of those that the optimiser remembers something of. */
  readonly parameters: readonly string[];
  readonly moved: readonly string[];
}

const wrong = (what: string): WaymarkError =>
  new WaymarkError(`The checkpoint is not one that Waymark wrote: ${what}.`);

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw wrong(what);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const areNames = (value: unknown): value is string[] => areTexts(value) && new Set(value).size === value.length;
const isTexts = (value: unknown): boolean => isRecord(value) && areTexts(Object.values(value));

export function checkedMeta(given: unknown): Meta {
  const meta = isRecord(given) ? given : {};
  const { identity, steps, step, stopped, skipped } = meta;
  if (!isIdentity(identity)) throw new WaymarkError('The checkpoint does not say which optimisation it belongs to.');
  check(isCount(steps) && isCount(step) && isCount(skipped), 'steps are not counted in whole numbers from 0 on');
  check(step <= steps, `it has come to step ${step} of ${steps}`);
  check(typeof stopped === 'boolean', 'it does not say whether the optimisation had ended');
  for (const names of ['estimator', 'parameters', 'moved']) {
    check(areNames(meta[names]), `its list '${names}' is not one of different names`);
  }
  const { parameters, moved } = meta as unknown as Meta;
  check(
    moved.every((name) => parameters.includes(name)),
    'the optimiser remembers something of a parameter that is not there',
  );
  return meta as unknown as Meta;
}

function isIdentity(identity: unknown): boolean {
  if (!isRecord(identity)) return false;
  const { program, seed, stream, settings, conditions } = identity;
  return (
    (program === null || typeof program === 'string') &&
    Number.isFinite(seed) &&
    Number.isFinite(stream) &&
    isTexts(settings) &&
    areConditions(conditions)
  );
}

function areConditions(conditions: unknown): boolean {
  if (!isRecord(conditions)) return false;
  const { precision, files, device, sequential, args, waymark, node } = conditions;
  return (
    areTexts([precision, device, waymark, node]) && isTexts(files) && typeof sequential === 'boolean' && areTexts(args)
  );
}

/** What a plateau has seen begins as no number and minus infinity; all else is finite. */
export function checkFinite(name: string, data: Numbers): void {
  if (name === 'plateau') return;
  check(data.every(Number.isFinite), `'${name}' has elements that are no finite numbers`);
}

const LISTS = ['history', 'plateau', 'estimator'];

export function checkList({ name, dims, data }: NamedArray, isSecond: boolean): void {
  check(LISTS.includes(name), `it has an array '${name}'`);
  check(!isSecond, `it has two arrays '${name}'`);
  check(dims.length === 1 && data instanceof Float64Array, `'${name}' is not a list of float64 numbers`);
}

export function checkParameter(name: string, { parameters }: Meta, isSecond: boolean): void {
  check(parameters.includes(name), `it has a parameter '${name}' that it does not list`);
  check(!isSecond, `it has two parameters '${name}'`);
}

export function checkMemory(name: string, { moved }: Meta): void {
  check(moved.includes(name), `the optimiser remembers something of '${name}', which it does not list`);
}

/** Once all arrays have been read. */
export function checkComplete(
  { step, skipped, estimator, parameters }: Meta,
  lists: ReadonlyMap<string, readonly number[]>,
  params: ReadonlyMap<string, Tensor>,
  memories: ReadonlyMap<string, Memory>,
): void {
  for (const name of LISTS) check(lists.has(name), `it has no array '${name}'`);
  const [history, plateau, numbers] = LISTS.map((name) => lists.get(name) as readonly number[]);
  check(history.length + skipped === step, `it has ${history.length} objectives of ${step} steps, ${skipped} skipped`);
  check(plateau.length === 0 || isPlateau(plateau), "'plateau' is not what a plateau is recognised by");
  check(numbers.length === estimator.length, `it has ${numbers.length} baselines, and names for ${estimator.length}`);
  for (const name of parameters) check(params.has(name), `it has no parameter '${name}', though it lists it`);
  const counts = new Set<number>();
  for (const [name, memory] of memories) {
    counts.add(memory.length);
    const { length } = params.get(name) as Tensor;
    const fits = memory.every((data) => data.length === length && data.constructor === memory[0].constructor);
    check(fits, `what the optimiser remembers of '${name}' does not fit its ${length} elements`);
  }
  check(counts.size <= 1, 'the optimiser remembers more of some parameters than of others');
}

const isPlateau = ([smooth, best, since, ...more]: readonly number[]): boolean =>
  more.length === 0 && smooth !== Infinity && best !== Infinity && !Number.isNaN(best) && isCount(since);
