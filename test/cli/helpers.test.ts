/** Chains that other threads run: results are those of one thread. */
import { afterAll, expect, test } from 'vitest';
import { Command, type Finished } from './command.ts';

const waymark = new Command('helpers');
afterAll(() => waymark.remove());

const CHAINS = 6;

/** What the program of this name comes to in one thread, and with others wherever there are chains. */
async function bothWays(name: string, ...options: string[]): Promise<readonly [alone: Finished, helped: Finished]> {
  const run = (wish: string): Promise<Finished> =>
    waymark.with({ WAYMARK_HELPERS: wish }).run('run', name, '--seed', '5', '--threads', '2', ...options);
  return [await run('off'), await run('always')];
}

const observing = `var xs = _.range(40);
var model = function() {
  var k = randomInteger(3) + 1;
  var ws = repeat(k, function() { return gaussian(0, 1); });
  map(function(x) { observe(Gaussian({mu: sum(ws) * Math.sin(x), sigma: 1}), Math.cos(x)); }, xs);
  return {k: k, w: Vector(ws)};
};
`;

test.each([
  ['Metropolis–Hastings', `method: 'MCMC', samples: 4000`],
  ['Metropolis–Hastings from its first execution on', `method: 'incrementalMH', samples: 4000`],
])('%s is what one thread gives, and so is what comes after', async (_, options) => {
  waymark.write(
    'chains.wppl',
    `${observing}var first = Infer({${options}, chains: ${CHAINS}, model: model});
var second = Infer({${options}, chains: ${CHAINS}, burn: 100, lag: 1, model: model});
display(map(function(d) { return [d.diagnostics, expectation(d, function(v) { return v.k + T.sumreduce(v.w); })]; }, [first, second]));
uniform(0, 1)`,
  );
  const [alone, helped] = await bothWays('chains.wppl', '--explain-batching');
  expect(helped.stdout).toBe(alone.stdout);
  expect(helped.stderr).toMatch(new RegExp(`\\d of ${CHAINS} chains ran in other threads`));
  expect(alone.stderr).not.toMatch('other threads');
});

test('chains that follow gradients are what one thread gives', async () => {
  waymark.write(
    'nuts.ts',
    `import { expectation, gamma, Gaussian, gaussian, Infer, observe } from 'waymark';
const xs = Array.from({ length: 30 }, (_, i) => i / 10);
const model = () => {
  const [a, b, s] = [gaussian(0, 2), gaussian(0, 2), gamma(2, 1)];
  for (const x of xs) observe(Gaussian({ mu: a * x + b, sigma: s }), Math.sin(x));
  return { a, b };
};
const posterior = Infer({ method: 'MCMC', kernel: 'NUTS', samples: 3000, chains: ${CHAINS}, model });
console.log('done');
export default [posterior.diagnostics, expectation(posterior, ({ a, b }) => a - b)];
`,
  );
  const [alone, helped] = await bothWays('nuts.ts', '--explain-batching');
  expect(helped.stdout).toBe(alone.stdout);
  expect(helped.stdout).toMatch(/^done\n/);
  expect(helped.stderr).toMatch('other threads');
});

test.each([
  ['print', `if (x > 2) { display(x); }`, ''],
  ['fail', `if (x > 2.5) { _.fail(x); }`, ''],
  ['give functions', '', 'function() { return x; }'],
])('models that %s do what they do in one thread', async (_, statement, value) => {
  waymark.write(
    'model.wppl',
    `var model = function() { var x = gaussian(0, 1); ${statement} observe(Gaussian({mu: x, sigma: 1}), 0.5); return ${value || 'x'}; };
var d = Infer({method: 'MCMC', samples: 3000, chains: ${CHAINS}, model: model});
expectation(d, function(v) { return _.isFunction(v) ? v() : v; })`,
  );
  const [alone, helped] = await bothWays('model.wppl');
  expect(helped).toEqual(alone);
});
