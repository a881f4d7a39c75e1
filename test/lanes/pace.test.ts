/** Which way executions go by the clock, and that results do not depend on it. */
import { afterEach, expect, test } from 'vitest';
import { meter } from '../../src/lanes/columns/meter.ts';
import { Pace } from '../../src/lanes/columns/pace.ts';
import { run } from '../../src/program/run.ts';
import { Address } from '../../src/runtime/address.ts';
import { OneByOne } from '../../src/runtime/signals.ts';

afterEach(() => {
  meter.clock = null;
});

/** A clock on which so many milliseconds pass between two looks. */
function passing(milliseconds: number): void {
  let now = 0;
  meter.clock = () => {
    now += milliseconds;
    return now;
  };
}

async function found(code: string, sequential = false): Promise<{ value: string; how: string }> {
  const said: string[] = [];
  const engine = { explainBatching: true, sequential };
  const { value } = await run(code, { seed: 3, engine, warn: (message) => said.push(message) });
  const { samples, weights, logZ, diagnostics } = value as Record<string, unknown>;
  const how = said.find((message) => message.startsWith('How')) ?? '';
  return { value: JSON.stringify({ samples, weights, logZ, diagnostics }), how: how.split('\n')[0] };
}

const LINE = `
  var slope = gaussian(0, 1);
  map(function(x) { observe(Gaussian({mu: slope * x, sigma: 1}), x); }, [1, 2, 3]);
  return flip(0.5) ? slope : -slope;`;
const UNEVEN = `
  var n = 0;
  while (flip(0.7)) { n++; }
  condition(n !== 1);
  return n;`;
const inferred = (body: string, options: string): string => `Infer({${options}, model: function() {${body}}})`;

const METHODS = ['forward', 'importance', 'rejection'];
const PROGRAMS = METHODS.flatMap((method) =>
  [LINE, UNEVEN].map((body) => [
    method,
    inferred(body, `method: '${method}', samples: 900${method === 'rejection' ? ', maxScore: 0' : ''}`),
  ]),
);

// On the slowest clocks a trial is given up, with some executions made alone and some side by side.
test.each(PROGRAMS)('%s gives the same whatever the clock says: %s', async (_, code) => {
  const { value } = await found(code, true);
  for (const milliseconds of [1e-6, 0.01, 0.05, 0.2, 1, 30]) {
    passing(milliseconds);
    expect((await found(code)).value).toBe(value);
  }
});

test('few milliseconds of work are done one by one, much work side by side', async () => {
  const code = inferred(LINE, "method: 'importance', samples: 1000");
  passing(0.001);
  expect((await found(code)).how).toContain('one by one, because they take less time than it would take to begin');
  passing(0.2);
  expect((await found(code)).how).toMatch(/1000 executions side by side, \d+ of them before one by one/);
});

test('a program whose executions may do different things has to be longer for a trial', async () => {
  const times = async (body: string): Promise<boolean> => {
    passing(0.05);
    return (await found(inferred(body, "method: 'forward', samples: 1000"))).how.includes('side by side,');
  };
  expect(await times('return gaussian(0, 1) + uniform(0, 1);')).toBe(true);
  const recursive = (end: string): string =>
    `var go = function(n) { var x = gaussian(n, 1); return ${end} ? x : go(n + 1); }; return go(0);`;
  expect(await times(recursive('n === 3'))).toBe(true);
  expect(await times(recursive('x > 1'))).toBe(false);
  expect(await times('var xs = [3, 1, 2]; xs.sort(); return gaussian(0, 1) + uniform(0, 1) + xs[0];')).toBe(false);
});

test('so many executions that they take long however fast they go begin side by side at once, if they do the same', async () => {
  const drawn = async (body: string, samples: number, sequential = false) => {
    const said: string[] = [];
    const code = `var d = ${inferred(body, `method: 'forward', samples: ${samples}`)};
      ({mean: listMean(map(function(s) { return s.value; }, d.samples)), last: d.samples[${samples - 1}]})`;
    const warn = (message: string): void => void said.push(message);
    const { value } = await run(code, { seed: 3, engine: { explainBatching: true, sequential }, warn });
    return { value, how: said[0].split('\n')[0] };
  };
  // However little time passes by the clock, and however much.
  const body = 'return gaussian(0, 1) + uniform(0, 1) + (flip(0.3) ? 1 : 0) + gaussian(1, 2);';
  const { value } = await drawn(body, 80_000, true);
  for (const milliseconds of [1e-6, 30]) {
    passing(milliseconds);
    const found = await drawn(body, 80_000);
    expect(found.value).toEqual(value);
    expect(found.how).toMatch(/80000 executions side by side, \d+ of them before one by one/);
  }
  passing(1e-6);
  expect((await drawn(body, 2000)).how).toContain('2000 executions one by one');
  expect((await drawn(`var n = 0; while (flip(0.1)) { n++; } ${body}`, 80_000)).how).toContain('one by one, because');
});

test('few executions go side by side if each is long, and calls itself as often as the others', async () => {
  const body = `
    var go = function(n) { var x = gaussian(n, 1); observe(Gaussian({mu: x, sigma: 1}), n); return n === 19 ? x : go(n + 1); };
    return go(0);`;
  const code = inferred(body, "method: 'importance', samples: 200");
  const { value } = await found(code, true);
  passing(4);
  const { value: together, how } = await found(code);
  expect(how).toMatch(/200 executions side by side, \d of them before one by one/);
  expect(together).toBe(value);
});

test('where an inference is made again and again, all of them together are worth a trial', async () => {
  const code = `
    var one = function(k) {
      return Infer({method: 'importance', samples: 40, model: function() {
        var x = gaussian(k, 1);
        observe(Gaussian({mu: x, sigma: 1}), 2);
        return x;
      }});
    };
    map(one, _.range(40))[39]`;
  const { value } = await found(code, true);
  const said: string[] = [];
  passing(0.1);
  const { value: last } = await run(code, {
    seed: 3,
    engine: { explainBatching: true },
    warn: (message) => said.push(message),
  });
  expect(JSON.stringify((last as { samples: unknown }).samples)).toBe(JSON.stringify(JSON.parse(value).samples));
  expect(said[0]).toContain('40 executions one by one');
  expect(said.at(-1)).toContain('40 executions side by side');
});

test('callbacks are told of samples in order, each once', async () => {
  passing(0.2);
  const code = `
    var seen = [];
    var d = Infer({method: 'forward', samples: 200, callbacks: [{sample: function(s) { seen.push(s.value); }}], model: function() {
      return gaussian(0, 1) + uniform(0, 1);
    }});
    ({same: _.isEqual(seen, map(function(s) { return s.value; }, d.samples)), n: seen.length})`;
  const { value } = await run(code, { seed: 1, warn: () => {} });
  expect(value).toEqual({ same: true, n: 200 });
});

/** How many operations of so many a probe of 63 executions makes, each for one choice, if there are 1,000 in all. */
function probed(operations: number, valuesOfEach: number): number {
  let made = 0;
  meter.anew(1, () =>
    meter.probe(1000 / 63 - 1, () => {
      for (; made < operations; made++) {
        meter.choice(63);
        meter.values(63 * valuesOfEach);
        meter.operation(63);
      }
    }),
  );
  return made;
}

test('a trial whose results are not used ends when it is clear that side by side pays', () => {
  expect(probed(10_000, 0)).toBeLessThan(200);
  // Too short to tell: it comes to its end.
  expect(probed(20, 0)).toBe(20);
  // What is made for each execution costs more than it does alone.
  expect(() => probed(10_000, 20)).toThrow(OneByOne);
});

/** Whether a trial of 64 executions is given up that makes so many operations with nothing else in them, and then goes on with 8192. */
function givesUp(operations: number, alone: number): boolean {
  let now = 0;
  meter.clock = () => now;
  const arithmetic = (size: number) => (): void => {
    for (let made = 0; made < operations; made++) {
      now += 0.001;
      meter.operation(size);
    }
  };
  try {
    meter.anew(1, () => {
      meter.trial(100_000 / 64 - 1, arithmetic(64), { alone, share: 1, isMeasured: alone < Infinity });
      arithmetic(8192)();
    });
    return false;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(OneByOne);
    return true;
  }
}

test('where it was measured how long executions take alone, that decides, and not what their operations are counted as', () => {
  expect(givesUp(500, 500)).toBe(false);
  // Side by side they take 50 milliseconds of arithmetic alone.
  expect(givesUp(500, 20)).toBe(true);
  // Unless a trial is measured, an operation costs the same in both ways.
  expect(givesUp(500, Infinity)).toBe(true);
});

/** Whether a trial of 64 executions that took so many milliseconds is all that is looked at, if 1936 others would take some 650 of them alone. */
function isSure(took: number, operations: number, valuesOfEach: number): boolean {
  let now = 0;
  const pace = new Pace({ address: Address.root() }, () => now);
  for (let i = 0; i < 10; i++) {
    pace.first(() => {
      now += 2;
      return 1;
    });
  }
  // (What is counted does not end it.)
  meter.isPatient = true;
  try {
    return meter.anew(1, () =>
      pace.trial(64, 1936, 8192, () => {
        now += took;
        for (let i = 0; i < operations; i++) meter.operation(64);
        meter.values(64 * valuesOfEach);
      }),
    );
  } finally {
    meter.isPatient = false;
  }
}

test('a trial that shows that side by side is faster by far is all that is looked at', () => {
  expect(isSure(15, 500, 0)).toBe(true);
  // As much for each of the others would be longer than they take alone.
  expect(isSure(30, 500, 0)).toBe(false);
  // Most of what is counted is for each of them.
  expect(isSure(15, 500, 10_000)).toBe(false);
});

test('side by side ends where several parts in turn took longer than alone', () => {
  let now = 0;
  const pace = new Pace({ address: Address.root() }, () => now);
  const taking = (milliseconds: number) => (): void => {
    now += milliseconds;
  };
  // A millisecond each side by side, two alone.
  pace.compare(8, 1000, taking(8), (count) => {
    now += 2 * count;
    return count;
  });
  for (const each of [1.9, 2.1, 2.1, 1, 3, 3]) pace.goOn(10, taking(10 * each));
  expect(() => pace.goOn(10, taking(30))).toThrow(OneByOne);
});

const LONG = `
  var go = function(i, xs) {
    if (i === 1500) { return xs; }
    var x = gaussian(xs[xs.length - 1] || 0, 0.3);
    observe(Gaussian({mu: x, sigma: 0.5}), Math.sin(i / 50));
    return go(i + 1, [xs[1], x]);
  };
  var all = go(0, [0, 0]);
  return all[0] + all[1];`;

test('few particles with very many factors go side by side where executions take long alone', async () => {
  const code = inferred(LONG, "method: 'SMC', particles: 6");
  const { value, how } = await found(code, true);
  expect(how).toContain('one by one, because that was asked for');
  meter.clock = null;
  expect((await found(code)).how).toContain('6 particles one by one');
  // The first executions take a second each.
  let looks = 0;
  meter.clock = () => 1000 * Math.min(looks++, 3);
  expect(await found(code)).toEqual({ value, how: expect.stringContaining('6 particles side by side') });
  // What is tried then takes longer.
  looks = 0;
  meter.clock = () => (looks < 4 ? 1000 : 1e6) * looks++;
  expect(await found(code)).toEqual({ value, how: expect.stringContaining('6 particles one by one') });
});
