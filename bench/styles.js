/**
 * `npm run bench:styles [-- NAME …] [--rounds N] [--seconds S] [--folder DIR]`: programs as people write them (`styles/`, or those of DIR), side by side
 * and one by one (`--sequential`). Prints milliseconds of processor time, medians of rounds in turns, and the ratio sequential / side by side.
 * With `--seconds`, each program is given as many samples, particles or steps as take S seconds one by one, at least as many as it has: most
 * of them are written to be short, and those that people wait for are not.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measures } from './measure.js';

const given = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = given.indexOf(name);
  return at < 0 ? otherwise : given.splice(at, 2)[1];
};
const rounds = Number(option('--rounds', 3));
const seconds = Number(option('--seconds', 0));
const folder = resolve(option('--folder', fileURLToPath(new URL('styles/', import.meta.url))));
const files = new Map(
  readdirSync(folder)
    .filter((file) => /\.(ts|wppl)$/.test(file))
    .map((file) => [file.replace(/\.\w+$/, ''), join(folder, file)]),
);

/** Where enlarged programs are written. */
let sized;

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
};

/** The most that a program is enlarged by, and how often it is measured again to find out by how much. */
const LARGEST = 4096;
const GUESSES = 3;

/** A program with so many times as many samples, particles or steps. */
function enlarged(file, times) {
  if (times === 1) return file;
  const text = readFileSync(file, 'utf8').replace(/\b(samples|particles|steps): *(\d+)/g, (_, what, count) => {
    return `${what}: ${count * times}`;
  });
  const path = join(sized, basename(file));
  writeFileSync(path, text);
  return path;
}

/** By how much a program is enlarged to take as long as was asked for. What runs first is slower, so that a guess is too small. */
function timesFor(file) {
  let times = 1;
  for (let guess = 0; guess < GUESSES; guess++) {
    const took = measures.cpu.sequential(enlarged(file, times), 1);
    if (took > 700 * seconds) break;
    times = Math.min(LARGEST, Math.ceil((times * 1000 * seconds) / took));
  }
  return times;
}

function compare(name) {
  const times = seconds > 0 ? timesFor(files.get(name)) : 1;
  const file = enlarged(files.get(name), times);
  const found = { waymark: [], sequential: [] };
  for (let seed = 1; seed <= rounds; seed++) {
    // In turns, so that what else the machine does falls on both.
    for (const way of seed % 2 === 1 ? ['waymark', 'sequential'] : ['sequential', 'waymark']) {
      found[way].push(measures.cpu[way](file, seed));
    }
  }
  const [together, sequential] = [median(found.waymark), median(found.sequential)];
  return { name, times, together, sequential, ratio: sequential / together };
}

function print(rows) {
  const heads = ['times', 'together ms', 'one by one', 'ratio'];
  console.log(`${'name'.padEnd(28)}${heads.map((head) => head.padStart(12)).join('')}`);
  for (const { name, times, together, sequential, ratio } of rows) {
    const numbers = [String(times), together.toFixed(1), sequential.toFixed(1), ratio.toFixed(2)];
    console.log(name.padEnd(28) + numbers.map((number) => number.padStart(12)).join(''));
  }
  const slower = rows.filter(({ ratio }) => ratio < 1 / 1.15).length;
  const faster = rows.filter(({ ratio }) => ratio >= 2).length;
  console.log(`${rows.length} programs: ${faster} faster by 2 or more, ${slower} slower by more than 15 %`);
}

const unknown = given.find((name) => !files.has(name));
if (unknown !== undefined) {
  console.error(`There is no program ${unknown}. There are: ${[...files.keys()].join(', ')}.`);
  process.exitCode = 1;
} else {
  sized = mkdtempSync(join(tmpdir(), 'styles-'));
  try {
    const rows = (given.length > 0 ? given : [...files.keys()]).map(compare);
    print(rows.sort((a, b) => a.ratio - b.ratio));
  } finally {
    rmSync(sized, { recursive: true });
  }
}
