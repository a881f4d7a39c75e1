/** What all layers have in common: how they are called, and how they declare their parameters. */
import { declareSingle } from '../guides/network-parameters.ts';
import { param as guideParam } from '../guides/param.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { Value } from '../tensor/node.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { forNetworks, inSinglePrecision } from './engine.ts';
import type { Init } from './initial.ts';

/** How a layer declares a parameter: `param` or `modelParam`. */
export type Declare = (options: { name: string; dims: readonly number[]; init?: Init }) => Tensor;

/** From vectors to vectors. Programs see tensors, whatever they are inside. */
export type Layer = (x: Tensor) => Tensor;

/** Options of layers. */
export interface LayerOptions {
  /** The length of the input. */
  in: number;
  /** The length of the output. */
  out: number;
  /** Where parameters belong: `param` (the guide, if left out) or `modelParam`. */
  param?: Declare;
  /** Where the weights start: `xavier` if left out. */
  init?: Init;
  /** Where the biases start. */
  initb?: number;
}

/** Layers are named, because their parameters are kept by name. */
export function checkName(owner: string, name: unknown): asserts name is string {
  if (typeof name === 'string' && name !== '') return;
  throw new WaymarkError(`${owner} takes a name first, as in ${owner}('name', {…}); got ${describe(name)}.`);
}

/** Checks the names of options, and that sizes are whole numbers. */
export function checkOptions(
  owner: string,
  options: unknown,
  known: readonly string[],
  sizes: readonly string[],
): void {
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(`${owner} takes its options as an object after the name, got ${describe(options)}.`);
  }
  for (const name in options) {
    if (!known.includes(name)) {
      throw new WaymarkError(
        `${owner} has no option '${name}'; it takes ${known.join(', ')}.${didYouMean(name, known)}`,
      );
    }
  }
  for (const name of sizes) {
    const size = (options as Record<string, unknown>)[name];
    if (!(Number.isInteger(size) && (size as number) > 0)) {
      throw new WaymarkError(`${owner}: ${name} must be an integer of at least 1, got ${describe(size)}.`);
    }
  }
}

/** As asked for, or as a parameter of the guide; in the precision that networks compute in. */
export const declareWith = (given: Declare | undefined): Declare => {
  const declare = given ?? (guideParam as Declare);
  return (options) => (inSinglePrecision() ? forNetworks(declareSingle(() => declare(options))) : declare(options));
};

/** Programs see nodes as tensors. */
export const shown = (value: Value): Tensor => value as unknown as Tensor;
