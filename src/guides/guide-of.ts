/** The guide of a choice: the one that the program gives, as a distribution or a function, or an automatic one. */
import type { Address } from '../runtime/address.ts';
import { HOW_TO_COMPILE } from '../runtime/compilation.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, SampleOptions } from '../runtime/handler.ts';
import { Later } from '../runtime/late-module.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { checkSupport } from './guide-support.ts';
import { isJoint } from './joint/preceding-choices.ts';
import { guideByRunning, type WaysTogether } from './own-choices.ts';

/** A guide that others depend on: a handler that draws the choice, or finds its value elsewhere, says which value it was. */
export interface FollowedGuide {
  chosen(value: unknown): void;
  /** Whether gradients have less variance without that of the guide's score at a value that it has drawn. */
  readonly settles: boolean;
  /** The same as if its parameters were constants. */
  withoutGradient(): FollowedGuide & Distribution<unknown>;
}

/** The guide as one that later guides depend on; undefined if it is none. */
export function followed<V>(guide: Distribution<V> | undefined): (FollowedGuide & Distribution<unknown>) | undefined {
  return typeof (guide as Partial<FollowedGuide> | undefined)?.chosen === 'function' ? (guide as never) : undefined;
}

/** The value of a choice that is known without its guide, which learns nothing from it. Later guides may depend on the value. */
export function knownElsewhere<V>(
  target: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
  value: V,
): V {
  if (isJoint())
    followed(guideOf(target, options, address))
      ?.withoutGradient()
      .chosen(value);
  return value;
}

/** Makes automatic guides. Installed with the engine (`src/optimize/register.ts`), since they are computed with it. */
export const automaticGuides: Later<{
  make<V>(target: Distribution<V>, address: Address): Distribution<V>;
  /** Whether two targets are known to have the same automatic guide at one choice. */
  areAlike(one: Distribution<unknown>, other: Distribution<unknown>): boolean;
}> = new Later();

/**
 * What the guide program samples at a choice: the guide given there, as a distribution or as a thunk, or a mean-field
 * guide made for it (section 7.1 of the paper). Undefined only where the program forbids the latter.
 */
export function guideOf<V>(
  target: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
): Distribution<V> | undefined {
  const given = options?.guide;
  if (given === undefined) return options?.noAutoGuide ? undefined : automatic(target, address);
  return givenGuide(target, given, address, options?.guideSamples);
}

/** The same for methods that cannot do without a guide. */
export function requiredGuide<V>(
  target: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
): Distribution<V> {
  const guide = guideOf(target, options, address);
  if (guide !== undefined) return guide;
  throw new WaymarkError(
    `${target.name} has no guide here and noAutoGuide forbids an automatic one. Give the choice a guide.`,
  );
}

/**
 * The guide that a program gives at a choice, as a distribution or as a thunk, which may make choices: see `own-choices.ts`. Whether it suits
 * the choice is asked unless there is no target.
 */
export function givenGuide<V>(
  target: Distribution<V> | null,
  given: NonNullable<SampleOptions<V>['guide']>,
  address: Address,
  samples?: number,
  together?: WaysTogether,
): Distribution<V> {
  const check = (written: unknown, alone: boolean): Distribution<unknown> => {
    const guide = checkGuide(written);
    if (target !== null) checkSupport(target as Distribution<unknown>, guide, address, alone);
    return guide;
  };
  if (typeof given !== 'function') return check(given, true) as Distribution<V>;
  return guideByRunning(given, check, address, samples, together) as Distribution<V>;
}

function checkGuide(guide: unknown): Distribution<unknown> {
  if (isDistribution(guide)) return guide;
  throw new WaymarkError(
    'A guide must be a distribution, or a function that returns one, as in guide: () => Gaussian({mu: 0, sigma: 1}); ' +
      `got ${describe(guide)}.`,
  );
}

/** Thrown for a target that has no automatic guide. */
export class NoAutomaticGuide extends WaymarkError {
  override name = 'NoAutomaticGuide';
}

function automatic<V>(target: Distribution<V>, address: Address): Distribution<V> {
  if (automaticGuides.current !== null) return automaticGuides.current.make(target, address);
  throw new WaymarkError(
    `The choice from ${target.name} has no guide, and automatic guides need a program that is compiled for gradients: ` +
      `one that uses Optimize, param or a guide. ${HOW_TO_COMPILE}`,
  );
}
