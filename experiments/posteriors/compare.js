/** A run beside its reference: parameter by parameter, mean and standard deviation. */

/** Reference values come from this many independent draws. */
const REFERENCE_DRAWS = 10_000;
/** Means may be off by this many Monte Carlo standard errors, the run's own and the reference's together. */
const MOST_ERRORS = 4;
const MOST_SPREAD = 0.1;

/** Numbers by name: `beta[1]` for the first of an array, as reference files count. */
export function parametersOf(value, name = '') {
  if (typeof value === 'number') return { [name]: value };
  const entries = Array.isArray(value)
    ? value.map((item, i) => [`${name}[${i + 1}]`, item])
    : Object.entries(value).map(([key, item]) => [name === '' ? key : `${name}.${key}`, item]);
  return Object.assign({}, ...entries.map(([key, item]) => parametersOf(item, key)));
}

/** One row per parameter of the reference. */
export function compare(run, reference) {
  const draws = run.draws.map((value) => parametersOf(value));
  const convergence = Object.fromEntries(
    Object.entries(run.diagnostics.convergence).map(([name, facts]) => [
      name.replace(/\[(\d+)\]/g, (_, i) => `[${+i + 1}]`),
      facts,
    ]),
  );
  return Object.entries(reference).map(([name, truth]) => {
    const values = draws.map((draw) => draw[name]);
    if (values.some((value) => typeof value !== 'number')) throw new Error(`The program returns no parameter ${name}.`);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1));
    const { rhat, bulkEss, tailEss } = convergence[name];
    const error = Math.sqrt(sd ** 2 / bulkEss + truth.sd ** 2 / REFERENCE_DRAWS);
    const errors = (mean - truth.mean) / error;
    const spread = sd / truth.sd;
    const passes = Math.abs(errors) <= MOST_ERRORS && Math.abs(spread - 1) <= MOST_SPREAD;
    return { name, mean, reference: truth.mean, errors, spread, rhat, bulkEss, tailEss, passes };
  });
}
