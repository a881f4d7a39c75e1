/**
 * `npm run bench:styles [-- NAME …] [--rounds N]`: programs as people write them (`styles/`), side by side and one by one (`--sequential`).
 * Prints milliseconds of processor time, medians of rounds in turns, and the ratio sequential / side by side.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measures } from './measure.js';

const folder = fileURLToPath(new URL('styles/', import.meta.url));
const files = new Map(readdirSync(folder).map((file) => [file.replace(/\.\w+$/, ''), folder + file]));

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
};

function compare(name, rounds) {
  const found = { waymark: [], sequential: [] };
  for (let seed = 1; seed <= rounds; seed++) {
    // In turns, so that what else the machine does falls on both.
    for (const way of seed % 2 === 1 ? ['waymark', 'sequential'] : ['sequential', 'waymark']) {
      found[way].push(measures.cpu[way](files.get(name), seed));
    }
  }
  const [together, sequential] = [median(found.waymark), median(found.sequential)];
  return { name, together, sequential, ratio: sequential / together };
}

function print(rows) {
  const heads = ['together ms', 'one by one', 'ratio'];
  console.log(`${'name'.padEnd(28)}${heads.map((head) => head.padStart(12)).join('')}`);
  for (const { name, together, sequential, ratio } of rows) {
    const numbers = [together.toFixed(1), sequential.toFixed(1), ratio.toFixed(2)];
    console.log(name.padEnd(28) + numbers.map((number) => number.padStart(12)).join(''));
  }
  const slower = rows.filter(({ ratio }) => ratio < 1 / 1.15).length;
  const faster = rows.filter(({ ratio }) => ratio >= 2).length;
  console.log(`${rows.length} programs: ${faster} faster by 2 or more, ${slower} slower by more than 15 %`);
}

const given = process.argv.slice(2);
const at = given.indexOf('--rounds');
const rounds = at < 0 ? 3 : Number(given.splice(at, 2)[1]);
const unknown = given.find((name) => !files.has(name));
if (unknown !== undefined) {
  console.error(`There is no program ${unknown}. There are: ${[...files.keys()].join(', ')}.`);
  process.exitCode = 1;
} else {
  const rows = (given.length > 0 ? given : [...files.keys()]).map((name) => compare(name, rounds));
  print(rows.sort((a, b) => a.ratio - b.ratio));
}
