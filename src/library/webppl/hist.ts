/** Histograms as plain objects: a probability, or `{val, prob}`, by the JSON text of the value. */

type Hist = Readonly<Record<string, number | { readonly val: unknown; readonly prob: number }>>;

function entries(hist: Hist): { value: unknown; probability: number }[] {
  return Object.entries(hist).map(([text, entry]) =>
    typeof entry === 'number'
      ? { value: parsed(text), probability: entry }
      : { value: entry.val, probability: entry.prob },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The expected value of a function of the values, or of the values themselves. */
export function histExpectation(hist: Hist, fn: (value: unknown) => number = Number): number {
  return entries(hist).reduce((total, { value, probability }) => total + probability * fn(value), 0);
}

/** The standard deviation of the values. */
export function histStd(hist: Hist): number {
  const mean = histExpectation(hist);
  return Math.sqrt(histExpectation(hist, (value) => (Number(value) - mean) ** 2));
}

/** Whether probabilities differ by no more than the tolerance; `exactSupport` asks for the same values too. */
export function histsApproximatelyEqual(
  actual: Hist | undefined,
  expected: Hist | undefined,
  tolerance: number,
  exactSupport = false,
): boolean {
  if (actual === undefined || expected === undefined) return false;
  const probability = (hist: Hist, text: string): number => {
    const entry = hist[text] ?? 0;
    return typeof entry === 'number' ? entry : entry.prob;
  };
  const keys = Object.keys(expected);
  if (exactSupport && keys.length !== Object.keys(actual).length) return false;
  if (exactSupport && !keys.every((key) => Object.hasOwn(actual, key))) return false;
  return keys.every((key) => Math.abs(probability(actual, key) - probability(expected, key)) <= tolerance);
}
