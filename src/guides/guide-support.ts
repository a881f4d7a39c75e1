/**
 * Whether the values that a guide draws are possible under its target. A value that is impossible under the target
 * makes the bound −∞, so that a guide that may draw one is an error, as far as that is known before anything is
 * drawn. A possible value that the guide never draws is merely never found: the ELBO is still a bound, and the
 * program goes on with a warning.
 */
import { kindOf } from '../distributions/of-family.ts';
import {
  correlationFactors,
  countArrays,
  countVectors,
  covariances,
  probabilityVectors,
  reals,
  tensors,
  truthValues,
  type ValueKind,
  vectors,
  wholeNumbers,
} from '../distributions/value-kind.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { guidePlaceOf, placeOf } from '../runtime/places.ts';
import { Tensor } from '../tensor/tensor.ts';
import { dimsOf, shownDims } from './drawn-dims.ts';
import { compareLists } from './listed-values.ts';

type AnyDistribution = Distribution<unknown>;

/**
 * Refuses a guide that may draw values that are impossible under its target, as far as that is known before anything
 * is drawn.
 */
export function checkSupport(
  target: AnyDistribution,
  guide: AnyDistribution,
  address: Address,
  /** Whether the guide is the only one of the choice, and not a component of a mixture. */
  alone = true,
): void {
  if (guide.name === 'Mixture') {
    for (const dist of (guide.params as { dists: readonly AnyDistribution[] }).dists)
      checkSupport(target, dist, address, false);
    return;
  }
  // A guide that is a point: whether the target allows it shows when it is scored.
  if (guide.name === 'Delta' || target.name === 'Delta') return;
  const refuse: Refuse = (reason) => {
    throw new WaymarkError(`${guide.name} cannot guide ${target.name}: ${reason}${places(address)}`);
  };
  const warn = (missing: string): void => {
    if (!alone) return;
    machine.run.warn(
      `The guide ${guide.name} ${missing}: what the guide never draws will not be found.${places(address)}`,
    );
  };
  checkKind(target, guide, refuse);
  if (target.isContinuous) {
    checkBounds(target, guide, refuse, warn);
    checkDims(target, guide, refuse);
  } else if (target !== guide) {
    checkDims(target, guide, refuse);
    checkValues(target, guide, refuse, warn);
  }
}

type Refuse = (reason: string) => never;

/** Where the choice is, and where its guide is written. */
function places(address: Address): string {
  const choice = placeOf(address);
  if (choice === undefined) return '';
  const guide = guidePlaceOf(address);
  return guide === undefined
    ? ` (The choice is at ${choice}.)`
    : ` (The choice is at ${choice}, its guide at ${guide}.)`;
}

function checkBounds(
  target: AnyDistribution,
  guide: AnyDistribution,
  refuse: Refuse,
  warn: (missing: string) => void,
): void {
  const wanted = boundsOf(target);
  const offered = boundsOf(guide);
  if (wanted === undefined || offered === undefined) return;
  if (offered.lower < wanted.lower || offered.upper > wanted.upper) {
    refuse(
      `it draws values from ${interval(offered)}, and the target allows only ${interval(wanted)}. ` +
        'Use a guide with those bounds, such as LogitNormal (between two numbers) or IspNormal (positive).',
    );
  }
  if (offered.lower > wanted.lower || offered.upper < wanted.upper) {
    warn(`draws values from ${interval(offered)} only, and ${target.name} has values in ${interval(wanted)}`);
  }
}

/** Vectors, matrices and tensors have the same size. */
function checkDims(target: AnyDistribution, guide: AnyDistribution, refuse: Refuse): void {
  if (target.name === guide.name && target.params === guide.params) return;
  const wanted = dimsOf(target);
  const offered = wanted && dimsOf(guide);
  if (wanted === undefined || offered === undefined) return;
  if (wanted.length === offered.length && wanted.every((n, i) => n === offered[i])) return;
  refuse(`it draws ${shownDims(offered)}, and the target is over ${shownDims(wanted)}.`);
}

/** Values that are listed, or whole numbers from 0 on. */
function checkValues(
  target: AnyDistribution,
  guide: AnyDistribution,
  refuse: Refuse,
  warn: (missing: string) => void,
): void {
  const found = compareLists(target, guide);
  if (found?.beyond !== undefined) {
    refuse(
      `it may draw ${found.beyond}, which the target never is. ` +
        'Guide it by a distribution over the same values; those that are not wanted may have probability 0.',
    );
  }
  if (found?.missed !== undefined) warn(`never draws ${found.missed}, which ${target.name} may be`);
}

function checkKind(target: AnyDistribution, guide: AnyDistribution, refuse: Refuse): void {
  if (target.isContinuous !== guide.isContinuous) {
    const kind = ({ isContinuous }: AnyDistribution): string => (isContinuous ? 'continuous' : 'discrete');
    refuse(`the guide is ${kind(guide)} and the target ${kind(target)}. Guide it by a ${kind(target)} distribution.`);
  }
  const wanted = kindOf(target);
  const offered = kindOf(guide);
  if (wanted === undefined || offered === undefined || wanted === offered) return;
  const own = DRAWN.get(wanted);
  const others = DRAWN.get(offered);
  if (own === undefined || others === undefined) return;
  if (wanted !== probabilityVectors && wanted.contains(others.example)) return;
  refuse(`it draws ${others.words}, and the target is over ${own.words}.`);
}

const MATRICES = { words: 'matrices', example: new Tensor([2, 2], new Float64Array(4)) };

/** Kinds of values in words, with an example. */
const DRAWN: ReadonlyMap<ValueKind<unknown>, { words: string; example: unknown }> = new Map<
  ValueKind<unknown>,
  { words: string; example: unknown }
>([
  [reals, { words: 'numbers', example: 0.5 }],
  // Numbers 0 and 1 are scored like false and true.
  [wholeNumbers, { words: 'whole numbers', example: 1 }],
  [truthValues, { words: 'truth values', example: true }],
  [tensors, { words: 'tensors', example: new Tensor([1, 1], Float64Array.of(1)) }],
  [vectors, { words: 'vectors', example: new Tensor([1, 1], Float64Array.of(1)) }],
  ...[covariances, correlationFactors].map((kind) => [kind, MATRICES] as const),
  [countVectors, { words: 'vectors of whole numbers', example: new Tensor([1, 1], Float64Array.of(1)) }],
  [countArrays, { words: 'arrays of counts', example: [1] }],
  [probabilityVectors, { words: 'vectors of probabilities', example: new Tensor([1, 1], Float64Array.of(1)) }],
]);

/** Bounds of a distribution over numbers, where they are plain; undefined if they are not known now. */
function boundsOf(distribution: AnyDistribution): Interval | undefined {
  const support = distribution.support?.();
  if (support === undefined) return kindOf(distribution) === reals ? REAL_LINE : undefined;
  const { lower, upper } = support as Interval;
  return typeof lower === 'number' && typeof upper === 'number' ? { lower, upper } : undefined;
}

const REAL_LINE: Interval = { lower: -Infinity, upper: Infinity };

const interval = ({ lower, upper }: Interval): string => `(${lower}, ${upper})`;
