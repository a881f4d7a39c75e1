/**
 * `npm run bench:courses [-- NAME …]`: programs of the kinds that courses have (`courses.txt`), on Waymark and on WebPPL. Prints
 * milliseconds of processor time, the best of three runs each, the ratio webppl / waymark, and the median of the ratios.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../conformance/webppl.js';
import { measures } from './measure.js';

const ROUNDS = 3;
const folder = fileURLToPath(new URL('../.scratch/bench/courses', import.meta.url));
const text = readFileSync(new URL('courses.txt', import.meta.url), 'utf8');

/** Programs by name, each after a line `=== NAME`. */
const programs = new Map(
  text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1)];
    }),
);

function compare(name) {
  const file = join(folder, `${name}.wppl`);
  writeFileSync(file, programs.get(name));
  const best = { waymark: Infinity, webppl: Infinity };
  for (let seed = 1; seed <= ROUNDS; seed++) {
    for (const system of ['waymark', 'webppl']) {
      best[system] = Math.min(best[system], measures.cpu[system](file, seed));
    }
  }
  return { name, ...best, ratio: best.webppl / best.waymark };
}

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !programs.has(name));
if (unknown !== undefined) {
  console.error(`There is no program ${unknown}. There are: ${[...programs.keys()].join(', ')}.`);
  process.exitCode = 1;
} else {
  install();
  mkdirSync(folder, { recursive: true });
  const rows = (chosen.length > 0 ? chosen : [...programs.keys()]).map(compare);
  rows.sort((a, b) => a.ratio - b.ratio);
  console.log(`${'name'.padEnd(28)}${['waymark ms', 'webppl ms', 'ratio'].map((head) => head.padStart(12)).join('')}`);
  for (const { name, waymark, webppl, ratio } of rows) {
    const numbers = [waymark.toFixed(1), webppl.toFixed(1), ratio.toFixed(2)];
    console.log(name.padEnd(28) + numbers.map((number) => number.padStart(12)).join(''));
  }
  const middle = (rows.length - 1) / 2;
  const median = (rows[Math.floor(middle)].ratio + rows[Math.ceil(middle)].ratio) / 2;
  console.log(`median of ${rows.length}: ${median.toFixed(2)}`);
}
