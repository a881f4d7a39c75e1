/** Steps of a Metropolis–Hastings chain by a recorded density, many in one call of WebAssembly. */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Local,
  type ModuleBuilder,
} from '../../tensor/wasm/assembler.ts';
import { f64, i32, isNot0 } from '../../tensor/wasm/instructions.ts';
import { CHOICE_SCORE, COURSE, FACTOR_SCORE, SAME_WAY, SCORES } from './results.ts';

const BYTES = 8;

/** Numbers of a proposal: the choice, its new value, the logarithm of a uniform number, and whether the choice is discrete. */
export const PROPOSAL = 4;
/** Numbers of a visit before the leaves: whether the state is another than before, and its score. */
export const VISIT = 2;
/** Words before the visits: where the results of the state are, evaluations, proposals accepted, and moves among these. */
export const HEADER = { state: 0, evaluations: 1, accepted: 2, moves: 3, bytes: 2 * BYTES } as const;

/** The leaves that are kept of each state, by their place among the results. */
export interface KeptLeaves {
  readonly first: number;
  readonly count: number;
}

/**
 * Adds `steps(count, proposals, visits, state, candidate)`, whose addresses are in bytes. It returns the steps made, which are
 * fewer if nothing is known of a proposal.
 */
export function addSteps(
  module: ModuleBuilder,
  density: (results: Expression) => Expression,
  { first, count: leaves }: KeptLeaves,
  /** Among the results. */
  guard: number,
): void {
  module.function('steps', [I32, I32, I32, I32, I32], [I32], (b) => {
    const [count, , visits] = [b.parameter(0), b.parameter(1), b.parameter(2)];
    const proposal = b.let(I32, b.parameter(1));
    const visit = b.let(I32, i32.add(visits, i32.const(HEADER.bytes)));
    const state = b.let(I32, b.parameter(3));
    const candidate = b.let(I32, b.parameter(4));
    const made = b.let(I32, i32.const(0));
    const evaluations = b.let(I32, i32.const(0));
    const accepted = b.let(I32, i32.const(0));
    const moves = b.let(I32, i32.const(0));
    const going = b.let(I32, i32.const(1));
    const given = (place: number): Expression => f64.load([proposal.get], BYTES * place);
    const scoreAt = (results: Expression): Expression =>
      f64.add(f64.load([results], BYTES * CHOICE_SCORE), f64.load([results], BYTES * FACTOR_SCORE));
    b.while(i32.and(going.get, i32.lt(made.get, count)), () => {
      const site = b.let(I32, i32.shl(i32.truncateSaturating(given(0)), i32.const(3))).get;
      const before = b.let(F64, f64.load([site])).get;
      const moved = b.let(I32, i32.const(0));
      const isSame = i32.and(f64.eq(given(1), before), f64.eq(given(3), f64.const(1)));
      const putBack = (): void => b.do(f64.store([site, before]));
      b.if(
        isSame,
        () => increment(accepted, i32.const(1)),
        () => {
          b.do(f64.store([site, given(1)]));
          b.do(density(candidate.get));
          b.if(
            isNot0(f64.load([candidate.get], BYTES * guard)),
            () => {
              putBack();
              going.set(i32.const(0));
            },
            () => {
              increment(evaluations, i32.const(1));
              const ownScore = (results: Expression): Expression => f64.load([i32.add(results, site)], BYTES * SCORES);
              const course = f64.load([candidate.get], BYTES * COURSE);
              const gain = f64.sub(scoreAt(candidate.get), scoreAt(state.get));
              const ratio = f64.sub(f64.add(gain, ownScore(state.get)), ownScore(candidate.get));
              moved.set(i32.and(f64.eq(course, f64.const(SAME_WAY)), f64.lt(given(2), ratio)));
              increment(accepted, moved.get);
              increment(moves, moved.get);
              b.if(moved.get, () => swap(b, state, candidate), putBack);
            },
          );
        },
      );
      b.if(going.get, () => {
        b.do(f64.store([visit.get, f64.convertI32(moved.get)]));
        b.do(f64.store([visit.get, scoreAt(state.get)], BYTES));
        for (let i = 0; i < leaves; i++) {
          const leaf = f64.load([state.get], BYTES * (first + i));
          b.do(f64.store([visit.get, leaf], BYTES * (VISIT + i)));
        }
        increment(visit, i32.const(BYTES * (VISIT + leaves)));
        increment(proposal, i32.const(BYTES * PROPOSAL));
        increment(made, i32.const(1));
      });
    });
    b.do(i32.store([visits, state.get], 4 * HEADER.state));
    b.do(i32.store([visits, evaluations.get], 4 * HEADER.evaluations));
    b.do(i32.store([visits, accepted.get], 4 * HEADER.accepted));
    b.do(i32.store([visits, moves.get], 4 * HEADER.moves));
    b.do(made.get);
  });
}

const increment = (local: Local, by: Expression): void => local.set(i32.add(local.get, by));

function swap(b: FunctionBuilder, one: Local, other: Local): void {
  const kept = b.let(I32, one.get);
  one.set(other.get);
  other.set(kept.get);
}
