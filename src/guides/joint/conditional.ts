import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import type { Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import type { JointState } from './preceding-choices.ts';

/**
 * The conditional distribution of one choice under a joint guide, in coordinates without bounds, given the choices
 * before it.
 */
export interface Conditional {
  /** The noise that points are made of. */
  readonly noise: Distribution<unknown>;
  pointOf(noise: Value): Value;
  logDensity(point: Value): Value;
  /** The log-density of a point whose noise is known. */
  logDensityOfNoise?(noise: Value, point: Value): Value;
  /** The state for later choices, once the point is known; with the noise that it was made from, if there is some. */
  after(point: Value, noise: Value | undefined): JointState;
}

/** The parameters of one choice. */
export type OwnParams = Readonly<Record<string, Value | null>>;

/** The choice that a conditional distribution is of. */
export interface Extent {
  /** How many numbers its value has. */
  readonly size: number;
  /** Whether it is a number, and not a vector of one. */
  readonly scalar: boolean;
  /** Identifies the list of choices before it. */
  readonly hash: number;
}

/** Where the parameters of one choice are found. */
export interface Own {
  number(name: string): Value;
  tensor(name: string, dims: readonly number[], sigma?: number): Value;
  /**
   * A parameter that belongs to the list of choices before it; null if it has never been learned and is not to be
   * learned now.
   */
  after(name: string, dims: readonly number[], sigma?: number): Value | null;
  /** The dims of a tensor that has been learned. */
  dimsOf(name: string): readonly number[] | undefined;
}

/** A kind of joint guide. */
export interface JointKind {
  /** How `--explain-guides` calls the kind, after "its part of". */
  readonly words: string;
  readonly gaussian: boolean;
  params(own: Own, extent: Extent, before: JointState): OwnParams;
  conditional(params: OwnParams, extent: Extent, before: JointState): Conditional;
}

/** The size of a guide: as it is asked for, or was learned. */
export function agreedSize(name: string, learned: number | undefined, asked: number | undefined): number {
  if (learned !== undefined && asked !== undefined && learned !== asked) {
    throw new WaymarkError(
      `autoGuide: ${name} is ${asked}, and parameters have been learned with ${name} ${learned}. Ask for ${learned}, or start without these parameters.`,
    );
  }
  return (asked ?? learned)!;
}

/** The same parameters as if they were constants. */
export function withoutGradients(params: OwnParams): OwnParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value && (ops.stopGradient(value) as Value)]),
  );
}
