/** Values of chains, of which few are different because the chain barely moves. */
import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { sampledValues } from '../weighted.ts';

export interface ChainValues {
  /** In the order in which the chain came to them. */
  readonly values: readonly unknown[];
  /** The share of proposals that it accepted. */
  readonly acceptance: number;
}

/** Where fewer proposals are accepted, the chain rests. */
const HARDLY_ANY = 0.001;

/** The values of a chain; undefined for other results. */
export function chainOf(dist: Distribution<unknown>): ChainValues | undefined {
  if (!(dist instanceof SampleBasedMarginal)) return undefined;
  const { acceptance } = (dist.diagnostics ?? {}) as { acceptance?: unknown };
  return typeof acceptance === 'number' ? { values: sampledValues(dist), acceptance } : undefined;
}

/**
 * Whether these are draws of a continuous quantity, however few of them are different: a chain never comes back to a number
 * that it has left. Numbers that are all the same may be so by the model, unless hardly anything was accepted.
 */
export function isContinuousChain(values: readonly unknown[] | undefined, acceptance = 0): boolean {
  if (values === undefined || values.length === 0) return false;
  if (!values.every((value) => typeof value === 'number') || values.every(Number.isInteger)) return false;
  let stays = 1;
  for (let i = 1; i < values.length; i++) if (values[i] !== values[i - 1]) stays++;
  return stays === 1 ? acceptance < HARDLY_ANY : new Set(values).size === stays;
}

/** Digits of a number that was computed, and not written by hand. */
const LONG = 12;

/** More different numbers than this are no list that a user wrote. */
const LISTED = 12;

/**
 * Whether samples, in whatever order, look like draws of a continuous quantity: numbers of many digits, of which most are
 * different or there are many.
 */
export function areDraws(values: readonly unknown[]): boolean {
  if (values.length < 5 || !values.every((value) => typeof value === 'number')) return false;
  const distinct = [...new Set(values as readonly number[])];
  if (distinct.length <= LISTED && distinct.length <= values.length / 2) return false;
  const long = distinct.filter((x) => String(x).replace(/[-.]|e.*$/g, '').length >= LONG).length;
  return long >= 0.8 * distinct.length;
}
