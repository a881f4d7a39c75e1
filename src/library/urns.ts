/** Urns: sequences of choices whose unknown probabilities are summed out, so that each depends on those before it. */
import { Bernoulli } from '../distributions/bernoulli.ts';
import { Discrete } from '../distributions/discrete.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { sample } from '../runtime/primitives.ts';
import { OneByOne } from '../runtime/signals.ts';
import { arrayOf, type List } from './arguments.ts';

function checkCounts(caller: string, counts: readonly unknown[], least: number): void {
  const bad = counts.findIndex((count) => !(typeof count === 'number' && count > 0 && count < Infinity));
  if (counts.length >= least && bad === -1) return;
  const got = bad === -1 ? `an array of length ${counts.length}` : `${describe(counts[bad])} at index ${bad}`;
  throw new WaymarkError(`${caller} needs ${least === 2 ? 'two' : 'some'} pseudocounts greater than 0, got ${got}.`);
}

/** The counts of an urn in this execution. They are kept where what `mem` remembers is, so re-execution starts anew. */
function countsOf(urn: object, initial: readonly number[]): readonly number[] {
  if (machine.columns !== null) throw new OneByOne('state', 'an urn is drawn from');
  return (machine.memo.find(urn, 'counts')?.value as readonly number[] | undefined) ?? initial;
}

function addTo(urn: object, counts: readonly number[], outcome: number): void {
  machine.memo.remember(
    urn,
    'counts',
    counts.map((count, i) => (i === outcome ? count + 1 : count)),
  );
}

/** Coin flips with a weight drawn from Beta(a, b). */
export function makeBetaBernoulli(pseudocounts: List<number>): () => boolean {
  const initial = arrayOf('makeBetaBernoulli([a, b])', pseudocounts);
  checkCounts('makeBetaBernoulli', initial, 2);
  const urn = {};
  return () => {
    const counts = countsOf(urn, initial);
    const value = sample(Bernoulli({ p: counts[0] / (counts[0] + counts[1]) }));
    addTo(urn, counts, value ? 0 : 1);
    return value;
  };
}

/** Indices with probabilities drawn from Dirichlet(pseudocounts). */
export function makeDirichletDiscrete(pseudocounts: List<number>): () => number {
  const initial = arrayOf('makeDirichletDiscrete(pseudocounts)', pseudocounts);
  checkCounts('makeDirichletDiscrete', initial, 1);
  const urn = {};
  return () => {
    const counts = countsOf(urn, initial);
    const value = sample(Discrete({ ps: counts }));
    addTo(urn, counts, value);
    return value;
  };
}
