/** Models with choices between their factors, and the joint probability of each value and the conditions. */
import { Bernoulli } from '../../src/distributions/bernoulli.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { condition, factor, observe, sample, setProposalBoundary } from '../../src/runtime/primitives.ts';
import { flip } from './models.ts';

export interface SequentialModel {
  readonly name: string;
  readonly model: () => unknown;
  readonly joint: readonly (readonly [unknown, number])[];
}

/** Values of n coins, all of them. */
function sequences(n: number): boolean[][] {
  return n === 0 ? [[]] : sequences(n - 1).flatMap((s) => [s.concat(true), s.concat(false)]);
}

const SEEN = [true, false, true];
const stay = (state: boolean, next: boolean): number => (state === next ? 0.7 : 0.3);
const emit = (state: boolean, seen: boolean): number => (state === seen ? 0.8 : 0.2);

type Guide = Distribution<boolean> | (() => Distribution<boolean>);

/** The states of a hidden Markov model, with a guide that knows the next observation, if wanted. */
export function hiddenStates(guideFor?: (seen: boolean) => Guide, boundary = false): () => boolean[] {
  return () => {
    const states: boolean[] = [];
    let state = true;
    for (const seen of SEEN) {
      if (boundary) setProposalBoundary();
      const options = guideFor === undefined ? undefined : { guide: guideFor(seen) };
      state = sample(Bernoulli({ p: stay(state, true) }), options);
      observe(Bernoulli({ p: emit(state, true) }), seen);
      states.push(state);
    }
    return states;
  };
}

export const hiddenStatesJoint = sequences(SEEN.length).map((states) => {
  let [state, probability] = [true, 1];
  states.forEach((next, i) => {
    probability *= stay(state, next) * emit(next, SEEN[i]);
    state = next;
  });
  return [states, probability] as const;
});

/** Goes on with probability 0.6, at most four times, with a factor at each step: executions end at different factors. */
function countdown(): number {
  let n = 0;
  while (n < 4 && flip(0.6)) {
    factor(n === 2 ? -2 : -0.5);
    n++;
  }
  return n;
}

export const sequentialModels: readonly SequentialModel[] = [
  { name: 'the states of a hidden Markov model', model: hiddenStates(), joint: hiddenStatesJoint },
  {
    name: 'executions that end at different factors',
    model: countdown,
    joint: [0, 1, 2, 3, 4].map((n) => {
      const score = [0, -0.5, -1, -3, -3.5][n];
      return [n, 0.6 ** n * (n < 4 ? 0.4 : 1) * Math.exp(score)] as const;
    }),
  },
  {
    name: 'conditions that may fail',
    model: () => {
      const a = flip(0.7);
      const b = flip(0.6);
      condition(a || b);
      const c = flip(0.8);
      condition(c || a);
      return [a, b, c];
    },
    joint: sequences(3)
      .filter(([a, b, c]) => (a || b) && (c || a))
      .map((s) => [s, (s[0] ? 0.7 : 0.3) * (s[1] ? 0.6 : 0.4) * (s[2] ? 0.8 : 0.2)] as const),
  },
  {
    name: 'choices after the last factor, and none between others',
    model: () => {
      const a = flip(0.5);
      factor(a ? 0 : -1);
      factor(a ? -0.2 : 0);
      return [a, flip(a ? 0.9 : 0.2)];
    },
    joint: sequences(2).map(([a, b]) => {
      const p = a ? 0.9 : 0.2;
      return [[a, b], 0.5 * (b ? p : 1 - p) * Math.exp(a ? -0.2 : -1)] as const;
    }),
  },
];
