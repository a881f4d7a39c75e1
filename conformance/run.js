/**
 * `npm run conformance`: runs WebPPL's own test data against Waymark.
 *
 *   --group NAME   only that group
 *   --only CASE    only cases of that name
 *   --seeds N      seeds that stochastic cases are run with (3)
 */
import { parseArgs } from 'node:util';
import { didYouMean } from '../dist/errors.js';
import { runBatch } from './batch.js';
import { allCases } from './cases.js';
import { install } from './webppl.js';

const TIMEOUT_SECONDS = 120;

/** Cases whose outcome is another on purpose: docs/webppl.md says more. */
const DELIBERATE = {
  'deterministic/dream': 'a dream takes each datum for an example once, and warns where more are asked for',
  'deterministic/guides': 'automatic guides are sampled once they are learned, not before',
  'HMC/constrainedSum': 'bounds are transformed away, not reflected at, so its step size of 0.004 is too small here',
};

function options() {
  const { values } = parseArgs({
    options: {
      group: { type: 'string' },
      only: { type: 'string' },
      seeds: { type: 'string', default: '3' },
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

function report(outcomes) {
  const groups = new Map();
  for (const [{ group, name }, problems] of outcomes) {
    const reason = DELIBERATE[`${group}/${name}`];
    const tally = groups.get(group) ?? { passed: 0, failed: 0, different: 0 };
    tally[problems.length === 0 ? 'passed' : reason === undefined ? 'failed' : 'different']++;
    groups.set(group, tally);
    if (problems.length === 0) continue;
    if (reason !== undefined) console.log(`DIFFERS ${group}/${name} on purpose: ${reason}`);
    else for (const problem of problems) console.log(`FAIL ${group}/${name}: ${problem}`);
  }
  console.log(`${'group'.padEnd(24)} passed  failed  different on purpose`);
  const row = (name, { passed, failed, different }) =>
    console.log(
      `${name.padEnd(24)} ${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${String(different).padStart(20)}`,
    );
  const total = { passed: 0, failed: 0, different: 0 };
  for (const [name, tally] of groups) {
    row(name, tally);
    for (const kind in total) total[kind] += tally[kind];
  }
  row('total', total);
  return total.failed === 0;
}

try {
  const { group, only, seeds } = options();
  install();
  const inGroup = chosen(allCases(), 'group', group, (one) => one.group);
  const cases = chosen(inGroup, 'case', only, (one) => one.name);
  process.exitCode = report(await results(cases, seeds)) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
