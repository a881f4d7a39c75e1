/**
 * Waymark's results (in the JSON form of `waymark batch`) against what WebPPL's tests expect, with their tolerances.
 * Each comparison returns what is wrong, or undefined.
 */
import { isDeepStrictEqual } from 'node:util';

/** A value as WebPPL serialises it into the key of a histogram: JSON, with infinities as strings. */
export function keyOf(value) {
  return JSON.stringify(plain(value));
}

/** The value without the words that the JSON form adds for numbers JSON lacks. */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.keys(value).length === 1 && typeof value.number === 'string') {
    return value.number === 'NaN' ? null : value.number;
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}

/** Probabilities by key; values that WebPPL does not tell apart add up. */
export function histogramOf({ support, probs }) {
  const histogram = {};
  support.forEach((value, i) => {
    const key = keyOf(value);
    histogram[key] = (histogram[key] ?? 0) + probs[i];
  });
  return histogram;
}

function hist(dist, expected, { tol, exact, exactSupport }) {
  const actual = histogramOf(dist);
  const sameSupport = isDeepStrictEqual(Object.keys(actual).sort(), Object.keys(expected).sort());
  const fits = exact
    ? isDeepStrictEqual(actual, expected)
    : Object.entries(expected).every(([key, p]) => Math.abs((actual[key] ?? 0) - p) <= tol);
  if (fits && (sameSupport || !exactSupport)) return undefined;
  return `histogram ${shorten(actual)}, expected ${shorten(expected)} within ${exact ? 0 : tol}`;
}

function mean(dist, expected, { tol }) {
  return within('mean', expectation(dist, Number), expected, tol);
}

function std(dist, expected, { tol }) {
  const centre = expectation(dist, Number);
  return within('std', Math.sqrt(expectation(dist, (x) => (Number(x) - centre) ** 2)), expected, tol);
}

function logZ(dist, expected, { check, tol }) {
  return check ? within('logZ', dist.logZ, expected, tol) : undefined;
}

function MAP(dist, expected, { check, tol }) {
  if (!check) return undefined;
  const best = dist.probs.indexOf(dist.probs.reduce((a, b) => Math.max(a, b)));
  const value = plain(dist.support[best]);
  if (!isDeepStrictEqual(value, expected.val)) return `MAP ${shorten(value)}, expected ${shorten(expected.val)}`;
  return within('MAP score', Math.log(dist.probs[best]), expected.score, tol);
}

export function within(what, actual, expected, tolerance) {
  // The first test is for infinities, whose difference is NaN.
  if (actual === expected || Math.abs(actual - expected) <= tolerance) return undefined;
  return `${what} ${shorten(actual)}, expected ${expected} within ${tolerance}`;
}

export function equal(what, actual, expected) {
  if (isDeepStrictEqual(plain(actual), expected)) return undefined;
  return `${what} ${shorten(actual)}, expected ${shorten(expected)}`;
}

/** By the names under which upstream's files give what they expect of a distribution. */
export const ofDistribution = { hist, mean, std, logZ, MAP };

function expectation({ support, probs }, of) {
  return support.reduce((total, value, i) => total + probs[i] * of(value), 0);
}

function shorten(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 160 ? text : `${text.slice(0, 157)}…`;
}
