/**
 * `npm run bench:courses [-- NAME …]`: programs of the kinds that courses have (`courses.txt`), on Waymark and on WebPPL. Prints
 * milliseconds of processor time, the best of three runs each, the ratio webppl / waymark, and the median of the ratios: of the run alone,
 * and of the whole process with loading and compiling. Neither has time for what it prints.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../conformance/webppl.js';
import { phases } from './measure.js';

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

const PHASES = ['run', 'whole'];

function compare(name) {
  const file = join(folder, `${name}.wppl`);
  writeFileSync(file, programs.get(name));
  const best = {};
  for (let seed = 1; seed <= ROUNDS; seed++) {
    for (const system of ['waymark', 'webppl']) {
      const found = phases[system](file, seed);
      const before = best[system] ?? found;
      best[system] = Object.fromEntries(PHASES.map((phase) => [phase, Math.min(before[phase], found[phase])]));
    }
  }
  return { name, ...best };
}

const ratioOf = ({ waymark, webppl }, phase) => webppl[phase] / waymark[phase];

const inColumns = (cells) => cells.map((cell) => cell.padStart(14)).join('');

function print(rows) {
  const heads = PHASES.flatMap((phase) => ['waymark', 'webppl', 'ratio'].map((head) => `${phase} ${head}`));
  console.log('name'.padEnd(28) + inColumns(heads));
  for (const row of rows) {
    const cells = PHASES.flatMap((phase) => [
      row.waymark[phase].toFixed(1),
      row.webppl[phase].toFixed(1),
      ratioOf(row, phase).toFixed(2),
    ]);
    console.log(row.name.padEnd(28) + inColumns(cells));
  }
  for (const phase of PHASES) {
    const ratios = rows.map((row) => ratioOf(row, phase)).sort((a, b) => a - b);
    const middle = (ratios.length - 1) / 2;
    const median = (ratios[Math.floor(middle)] + ratios[Math.ceil(middle)]) / 2;
    const slower = ratios.filter((ratio) => ratio < 1).length;
    console.log(`${phase}: median of ${ratios.length}: ${median.toFixed(2)}, ${slower} slower than WebPPL`);
  }
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
  print(rows.sort((a, b) => ratioOf(a, 'run') - ratioOf(b, 'run')));
}
