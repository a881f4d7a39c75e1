/** When a chain makes another recording: time decides, and samples do not depend on it. */
import { afterEach, expect, test } from 'vitest';
import { RecordingPace } from '../../../src/inference/chains/recording-pace.ts';
import { meter } from '../../../src/lanes/columns/meter.ts';
import { run } from '../../../src/program/run.ts';

afterEach(() => {
  meter.clock = null;
});

/** How many recordings are made in so many rounds, in each of which a recording takes `cost` and holds for `lasting` steps that alone take `each`. */
function recordingsIn(rounds: number, cost: number, lasting: number, each: number): number {
  let now = 0;
  const pace = new RecordingPace(() => now);
  let [made, computed, executed] = [0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    if (pace.allows(computed, executed) && !pace.isTiming) {
      pace.record(() => {
        now += cost;
      });
      made++;
      computed += lasting;
    } else {
      pace.begin();
      now += each;
      pace.end();
      executed++;
    }
  }
  return made;
}

test('recordings that cost more than they save are given up, and take a small share of the time', () => {
  expect(recordingsIn(10_000, 1, 100, 0.002)).toBeLessThanOrEqual(2 + 1);
  // Each costs 0.2 and saves 0.2; the rounds without one take 200, of which recordings may take a fiftieth.
  const cost = 0.2 - 0.3 * (100 * 0.002);
  expect(recordingsIn(100_000, 0.2, 100, 0.002)).toBeLessThanOrEqual(2 + 200 / 50 / cost);
});

test('recordings that save more than they cost go on', () => {
  expect(recordingsIn(10_000, 1, 1000, 0.01)).toBeGreaterThan(200);
  expect(recordingsIn(10_000, 1, 200, 1)).toBeGreaterThan(2000);
});

const WAYS = `
  var names = ['a', 'b', 'c', 'd', 'e'];
  var model = function() {
    var odd = [];
    var tau = gaussian(0, 1);
    map(function(name) {
      var outlying = flip(0.3);
      if (outlying) { odd.push(name); }
      observe(Gaussian({mu: gaussian(tau, outlying ? 3 : 1), sigma: 1}), name.length + 2);
    }, names);
    return odd.join('');
  };
  Infer({method: 'MCMC', samples: 1500, model}).samples.map(function(s) { return s.value + s.score; }).join(' ')`;

test('samples are the same whatever the clock says, and as one by one', async () => {
  const samples = async (clock: (() => number) | null, sequential = false): Promise<unknown> => {
    meter.clock = clock;
    return (await run(WAYS, { seed: 5, engine: { sequential } })).value;
  };
  const expected = await samples(null, true);
  let now = 0;
  const steady = (): number => ++now;
  const standing = (): number => 0;
  for (const clock of [null, steady, standing]) expect(await samples(clock)).toBe(expected);
});
