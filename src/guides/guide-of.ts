import { reals } from '../distributions/value-kind.ts';
import type { Address } from '../runtime/address.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval, SampleOptions } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { withoutChoices } from '../runtime/refusal.ts';

/** Makes mean-field guides. Installed with the engine (`src/optimize/register.ts`), since they are computed with it. */
export const automaticGuides: {
  make: (<V>(target: Distribution<V>, address: Address) => Distribution<V>) | null;
} = { make: null };

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
  const guide = givenGuide(given, address);
  checkSupport(target, guide as Distribution<unknown>);
  return guide;
}

/** The guide that a program gives at a choice, as a distribution or as a thunk. */
export function givenGuide<V>(given: NonNullable<SampleOptions<V>['guide']>, address: Address): Distribution<V> {
  const guide = typeof given === 'function' ? withoutChoices('A guide', address.at('guide'), given, undefined) : given;
  if (isDistribution(guide)) return guide as Distribution<V>;
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
  if (automaticGuides.make !== null) return automaticGuides.make(target, address);
  throw new WaymarkError(
    `The choice from ${target.name} has no guide, and automatic guides need a program that is compiled for gradients: ` +
      'one that mentions Optimize, param or guide.',
  );
}

/** A guide that can draw what the target can never be makes the objective −∞; one of another kind always does. */
function checkSupport(target: Distribution<unknown>, guide: Distribution<unknown>): void {
  if (guide.name === 'Delta' || target.name === 'Delta') return;
  if (target.isContinuous !== guide.isContinuous) {
    const kind = (d: Distribution<unknown>): string => (d.isContinuous ? 'continuous' : 'discrete');
    throw new WaymarkError(
      `${guide.name} cannot guide ${target.name}: the guide is ${kind(guide)} and the target ${kind(target)}. ` +
        `Guide it by a ${kind(target)} distribution.`,
    );
  }
  if (!target.isContinuous) return;
  const wanted = boundsOf(target);
  const offered = boundsOf(guide);
  if (wanted === undefined || offered === undefined) return;
  if (offered.lower < wanted.lower || offered.upper > wanted.upper) {
    throw new WaymarkError(
      `${guide.name} cannot guide ${target.name}: it draws values from ${interval(offered)}, ` +
        `and the target allows only ${interval(wanted)}. ` +
        'Use a guide with those bounds, such as LogitNormal (between two numbers) or IspNormal (positive).',
    );
  }
}

/** Bounds of a distribution over numbers, where they are plain; undefined if they are not known now. */
function boundsOf(distribution: Distribution<unknown>): Interval | undefined {
  const support = distribution.support?.();
  if (support === undefined) return isOverReals(distribution) ? REAL_LINE : undefined;
  if (Array.isArray(support)) return undefined;
  const { lower, upper } = support as Interval;
  return typeof lower === 'number' && typeof upper === 'number' ? { lower, upper } : undefined;
}

const REAL_LINE: Interval = { lower: -Infinity, upper: Infinity };

const isOverReals = (distribution: Distribution<unknown>): boolean =>
  (distribution as { family?: { values?: unknown } }).family?.values === reals;

const interval = ({ lower, upper }: Interval): string => `(${lower}, ${upper})`;
