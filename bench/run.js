/**
 * `npm run bench [-- --only NAME,…] [--device js|wasm|blas]`: Waymark beside WebPPL, on the same programs, in the same run.
 * Prints a line of JSON per benchmark and a table at the end; times are the best of several rounds, the ratio is
 * webppl / waymark. The time of an optimisation is that of one step.
 * The best and not the median, because on a busy machine one system's rounds can be several times slower than its
 * others (seen of WebPPL with 10,000 particles), and a median may fall on either kind.
 */
import { parseArgs } from 'node:util';
import { install } from '../conformance/webppl.js';
import { didYouMean } from '../dist/errors.js';
import { benchmarks } from './benchmarks.js';
import { measures } from './measure.js';
import { prepare } from './prepare.js';

const { values } = parseArgs({ options: { only: { type: 'string' }, device: { type: 'string' } } });

function chosen() {
  if (values.only === undefined) return benchmarks;
  return values.only.split(',').map((name) => {
    const found = benchmarks.find((benchmark) => benchmark.name === name);
    if (found !== undefined) return found;
    const names = benchmarks.map((benchmark) => benchmark.name);
    throw new Error(`There is no benchmark ${name}.${didYouMean(name, names)} There are: ${names.join(', ')}.`);
  });
}

/** Both sides take turns, so that whatever else the machine does meets both. */
function compare(benchmark) {
  const { name, measure = 'cpu', rounds, steps = {}, against = 'webppl' } = benchmark;
  const runs = ['waymark', against].flatMap((system) =>
    (steps[system] ?? [undefined]).map((count) => ({
      system,
      count,
      file: prepare(benchmark, count, system),
      best: Infinity,
    })),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const run of runs) {
      if (process.stderr.isTTY) process.stderr.write(`\r${name} ${round}/${rounds} ${run.system}\u001b[K`);
      // Runs that are subtracted from each other must do the same at first.
      const seed = run.count === undefined ? round : 1;
      run.best = Math.min(run.best, measures[measure][run.system](run.file, seed, values.device));
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  const waymark = result(runs.filter(({ system }) => system === 'waymark'));
  const other = result(runs.filter(({ system }) => system === against));
  return { name, unit: 'ms', waymark: rounded(waymark), [against]: rounded(other), ratio: rounded(other / waymark) };
}

/** Of two runs that differ in their steps, the time of one step: what comes before the first of them cancels. */
function result([run, longer]) {
  return longer === undefined ? run.best : (longer.best - run.best) / (longer.count - run.count);
}

/** To a tenth, or to three digits if that is finer. */
const rounded = (x) => (Math.abs(x) < 10 ? Number(x.toPrecision(3)) : Math.round(x * 10) / 10);

try {
  const selection = chosen();
  if (selection.some(({ against }) => against === undefined)) install();
  const rows = selection.map((benchmark) => {
    const row = compare(benchmark);
    console.log(JSON.stringify(row));
    return row;
  });
  console.log(`\n${'name'.padEnd(20)}${['waymark ms', 'other ms', 'ratio'].map((head) => head.padStart(12)).join('')}`);
  for (const { name, waymark, webppl, sequential, straight, ratio } of rows) {
    console.log(
      name.padEnd(20) + [waymark, webppl ?? sequential ?? straight, ratio].map((x) => String(x).padStart(12)).join(''),
    );
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
