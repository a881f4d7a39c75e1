/**
 * `npm run conformance`: runs WebPPL's own test data against Waymark.
 *
 *   --group NAME   only that group
 *   --only CASE    only cases of that name
 *   --seeds N      seeds that stochastic cases are run with (3)
 *   --all          also cases that need gradients
 */
import { parseArgs } from 'node:util';
import { didYouMean } from '../dist/errors.js';
import { runBatch } from './batch.js';
import { allCases } from './cases.js';
import { install } from './webppl.js';

const TIMEOUT_SECONDS = 120;

function options() {
  const { values } = parseArgs({
    options: {
      group: { type: 'string' },
      only: { type: 'string' },
      seeds: { type: 'string', default: '3' },
      all: { type: 'boolean', default: false },
    },
  });
  const seeds = Number(values.seeds);
  if (!Number.isInteger(seeds) || seeds < 1)
    throw new Error(`--seeds must be a whole number from 1, got '${values.seeds}'.`);
  return { ...values, seeds };
}

function chosen(cases, what, name, of) {
  if (name === undefined) return cases;
  const found = cases.filter((one) => of(one) === name);
  if (found.length > 0) return found;
  const names = [...new Set(cases.map(of))];
  throw new Error(`There is no ${what} ${name}.${didYouMean(name, names)} There are: ${names.join(', ')}.`);
}

/** The result of every case: {group, name, problems} with one problem per failing seed. */
async function results(cases, seeds) {
  const outcomes = new Map(cases.map((one) => [one, []]));
  let done = 0;
  const tell = (one) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${++done} ${one.group} ${one.name}\u001b[K`);
  };
  const programs = cases
    .filter(({ code }) => code !== undefined)
    .flatMap((one) =>
      Array.from({ length: one.stochastic ? seeds : 1 }, (_, i) => ({ one, code: one.code, seed: i + 1 })),
    );
  for await (const [{ one, seed }, result] of runBatch(programs, TIMEOUT_SECONDS)) {
    tell(one);
    const problem = one.check(result);
    if (problem !== undefined) outcomes.get(one).push(one.stochastic ? `seed ${seed}: ${problem}` : problem);
  }
  const direct = cases.filter(({ run }) => run !== undefined);
  if (direct.length > 0) {
    const waymark = await import('../dist/index.js');
    for (const one of direct) {
      tell(one);
      const problem = one.run(waymark);
      if (problem !== undefined) outcomes.get(one).push(problem);
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  return outcomes;
}

function report(outcomes, postponed) {
  const groups = new Map();
  for (const [{ group }, problems] of outcomes) {
    const tally = groups.get(group) ?? { passed: 0, failed: 0, postponed: 0 };
    tally[problems.length === 0 ? 'passed' : 'failed']++;
    groups.set(group, tally);
  }
  for (const { group } of postponed) {
    const tally = groups.get(group) ?? { passed: 0, failed: 0, postponed: 0 };
    tally.postponed++;
    groups.set(group, tally);
  }
  for (const [{ group, name }, problems] of outcomes) {
    for (const problem of problems) console.log(`FAIL ${group}/${name}: ${problem}`);
  }
  console.log(`${'group'.padEnd(24)} passed  failed  needs gradients`);
  const row = (name, { passed, failed, postponed: later }) =>
    console.log(
      `${name.padEnd(24)} ${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${String(later).padStart(15)}`,
    );
  const total = { passed: 0, failed: 0, postponed: 0 };
  for (const [name, tally] of groups) {
    row(name, tally);
    for (const kind in total) total[kind] += tally[kind];
  }
  row('total', total);
  return total.failed === 0;
}

try {
  const { group, only, seeds, all } = options();
  install();
  const inGroup = chosen(allCases(), 'group', group, (one) => one.group);
  const cases = chosen(inGroup, 'case', only, (one) => one.name);
  const postponed = all ? [] : cases.filter(({ needsGradients }) => needsGradients);
  const outcomes = await results(cases.filter((one) => !postponed.includes(one)), seeds); // biome-ignore format: one thought
  process.exitCode = report(outcomes, postponed) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
