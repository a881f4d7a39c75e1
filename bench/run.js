/**
 * `npm run bench [-- --only NAME,…]`: Waymark beside WebPPL, on the same programs, in the same run.
 * Prints a line of JSON per benchmark and a table at the end; times are the best of several rounds, the ratio is webppl / waymark.
 * The best and not the median, because on a busy machine one system's rounds can be several times slower than its
 * others (seen of WebPPL with 10,000 particles), and a median may fall on either kind.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from '../conformance/webppl.js';
import { didYouMean } from '../dist/errors.js';
import { benchmarks } from './benchmarks.js';
import { measures } from './measure.js';

function chosen() {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  if (values.only === undefined) return benchmarks;
  return values.only.split(',').map((name) => {
    const found = benchmarks.find((benchmark) => benchmark.name === name);
    if (found !== undefined) return found;
    const names = benchmarks.map((benchmark) => benchmark.name);
    throw new Error(`There is no benchmark ${name}.${didYouMean(name, names)} There are: ${names.join(', ')}.`);
  });
}

/** Both sides take turns, so that whatever else the machine does meets both. */
function compare({ name, program, measure = 'cpu', rounds }) {
  const file = fileURLToPath(new URL(`programs/${program}`, import.meta.url));
  const times = { waymark: [], webppl: [] };
  for (let round = 0; round < rounds; round++) {
    for (const system of ['waymark', 'webppl']) {
      if (process.stderr.isTTY) process.stderr.write(`\r${name} ${round + 1}/${rounds} ${system}\u001b[K`);
      times[system].push(measures[measure][system](file, round + 1));
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  const waymark = Math.min(...times.waymark);
  const webppl = Math.min(...times.webppl);
  return { name, unit: 'ms', waymark: round1(waymark), webppl: round1(webppl), ratio: round1(webppl / waymark) };
}

const round1 = (x) => Math.round(x * 10) / 10;

try {
  const selection = chosen();
  install();
  const rows = selection.map((benchmark) => {
    const row = compare(benchmark);
    console.log(JSON.stringify(row));
    return row;
  });
  console.log(
    `\n${'name'.padEnd(20)}${['waymark ms', 'webppl ms', 'ratio'].map((head) => head.padStart(12)).join('')}`,
  );
  for (const { name, waymark, webppl, ratio } of rows) {
    console.log(name.padEnd(20) + [waymark, webppl, ratio].map((x) => x.toFixed(1).padStart(12)).join(''));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
