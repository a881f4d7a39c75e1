/** Whether a guide draws what its target can be: all of it, and nothing else. */
import {
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
import { Tensor } from '../tensor/tensor.ts';

type AnyDistribution = Distribution<unknown>;

/** Refuses a guide that draws what the target can never be, as far as that is known before anything is drawn. */
export function checkSupport(target: AnyDistribution, guide: AnyDistribution, _address: Address): void {
  // A point stands for itself; whether the target allows it is seen when it is scored.
  if (guide.name === 'Delta' || target.name === 'Delta') return;
  checkKind(target, guide);
  const wanted = boundsOf(target);
  const offered = boundsOf(guide);
  if (wanted === undefined || offered === undefined) return;
  if (offered.lower < wanted.lower || offered.upper > wanted.upper) {
    refuse(
      target,
      guide,
      `it draws values from ${interval(offered)}, and the target allows only ${interval(wanted)}. ` +
        'Use a guide with those bounds, such as LogitNormal (between two numbers) or IspNormal (positive).',
    );
  }
  if (offered.lower > wanted.lower || offered.upper < wanted.upper) {
    machine.run.warn(
      `The guide ${guide.name} draws values from ${interval(offered)} only, and ${target.name} has values in ` +
        `${interval(wanted)}: what the guide never draws will not be found.`,
    );
  }
}

function checkKind(target: AnyDistribution, guide: AnyDistribution): void {
  if (target.isContinuous !== guide.isContinuous) {
    const kind = ({ isContinuous }: AnyDistribution): string => (isContinuous ? 'continuous' : 'discrete');
    refuse(
      target,
      guide,
      `the guide is ${kind(guide)} and the target ${kind(target)}. Guide it by a ${kind(target)} distribution.`,
    );
  }
  const wanted = kindOf(target);
  const offered = kindOf(guide);
  if (wanted === undefined || offered === undefined || wanted === offered) return;
  const own = DRAWN.get(wanted);
  const others = DRAWN.get(offered);
  if (own === undefined || others === undefined) return;
  if (wanted !== probabilityVectors && wanted.contains(others.example)) return;
  refuse(target, guide, `it draws ${others.words}, and the target is over ${own.words}.`);
}

/** Kinds of values in words, and something of the kind. */
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
  [probabilityVectors, { words: 'vectors of probabilities', example: new Tensor([1, 1], Float64Array.of(1)) }],
]);

function refuse(target: AnyDistribution, guide: AnyDistribution, reason: string): never {
  throw new WaymarkError(`${guide.name} cannot guide ${target.name}: ${reason}`);
}

/** The kind of values that a distribution of some family is over. */
const kindOf = (distribution: AnyDistribution): ValueKind<unknown> | undefined =>
  (distribution as { family?: { values?: ValueKind<unknown> } }).family?.values;

/** Bounds of a distribution over numbers, where they are plain; undefined if they are not known now. */
function boundsOf(distribution: AnyDistribution): Interval | undefined {
  if (!distribution.isContinuous) return undefined;
  const support = distribution.support?.();
  if (support === undefined) return kindOf(distribution) === reals ? REAL_LINE : undefined;
  const { lower, upper } = support as Interval;
  return typeof lower === 'number' && typeof upper === 'number' ? { lower, upper } : undefined;
}

const REAL_LINE: Interval = { lower: -Infinity, upper: Infinity };

const interval = ({ lower, upper }: Interval): string => `(${lower}, ${upper})`;
