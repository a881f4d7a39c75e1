/**
 * Errors of the engine in each way of running: fatal where the engine is tested, and for users a warning, after which the
 * result is that of one by one. Errors of programs are neither.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Column } from '../../src/lanes/columns/column.ts';
import { ColumnStreams } from '../../src/lanes/columns/streams.ts';
import { Tape } from '../../src/lanes/density/tape.ts';
import { TapeRecording } from '../../src/lanes/density/tape-recording.ts';
import { Rerun } from '../../src/lanes/rerun.ts';
import { LaneStreams } from '../../src/lanes/streams.ts';
import { fewGroups } from '../../src/lanes/together.ts';
import { CompiledStep } from '../../src/optimize/compiled-step.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { EngineFault } from '../../src/runtime/signals.ts';
import { failure, runProgram, type Told } from '../optimize/run-optimize.ts';

const DATA = 'var data = [0.3, -1.2, 2.5, 0.7];';
const MODEL = `var model = function() {
  var x = gaussian(0, 1);
  observe(Gaussian({mu: x, sigma: 1}), 0.5);
  return x;
};`;
const samplesOf = (options: string): string => `${MODEL}
map(function(s) { return s.value; }, Infer(_.assign({model: model}, ${options})).samples)`;
const optimised = (options: string): string => `${DATA} var model = function() {
  mapData({data: data}, function(y) {
    var x = sample(Gaussian({mu: 0, sigma: 1}));
    observe(Gaussian({mu: x, sigma: 1}), y); });
};
var history = [];
Optimize(_.assign({model: model, steps: 4, checkGradients: false,
  onFinish: function(r) { map(function(x) { history.push(x); }, r.history); }}, ${options}));
history`;

const branching = `var data = [0.3, -1.2, 2.5, 0.7, 1.4, 2.2, -3.1, -2.3, -1.9];
var model = function() {
  mapData({data: data}, function(y) {
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guide() { return Gaussian({mu: y, sigma: 1}); }});
    observe(x > 0 ? Gaussian({mu: x * param({name: 'm'}), sigma: 1}) : Gaussian({mu: 0, sigma: 3}), y); });
};
var history = [];
Optimize({model: model, steps: 12, checkGradients: false,
  onFinish: function(r) { map(function(x) { history.push(x); }, r.history); }});
history`;

const broken = (): never => {
  throw new TypeError('something is broken');
};

// Lanes branch, and steps are recorded so, from the start.
fewGroups.most = 1;
openAfter.steps = 1;

/** The side is evaluated for all executions, by `choose`. */
const chosen = (options: string): string => `var model = function() {
  var k = randomInteger(3);
  observe(Gaussian({mu: k > 0 ? k * 2.5 : 3, sigma: 1}), 2);
  return k;
};
map(function(s) { return s.value; }, Infer(_.assign({model: model}, ${options})).samples)`;

/** Fails once, where the side of a condition is evaluated for all: in those that take the side it would not fail again. */
function breaksInSide(): () => void {
  let isBroken = false;
  return () => {
    if (isBroken || !/ choose /.test(new Error().stack!.replaceAll('.', ' '))) return;
    isBroken = true;
    broken();
  };
}

/** For each way of running, a program that runs so, and a fault of the engine that no execution meets one by one. */
const WAYS: Readonly<Record<string, { code: string; way: string; instead?: string; injure(): void }>> = {
  'columns of forward sampling': {
    way: 'columns',
    code: "map(function(s) { return s.value; }, Infer({method: 'forward', samples: 50, model() { return gaussian(0, 1); }}).samples)",
    injure: () => vi.spyOn(ColumnStreams.prototype, 'begin').mockImplementation(broken),
  },
  'columns of importance sampling': {
    way: 'columns',
    code: samplesOf("{method: 'importance', samples: 50}"),
    injure: () => vi.spyOn(ColumnStreams.prototype, 'begin').mockImplementation(broken),
  },
  'columns of rejection sampling': {
    way: 'columns',
    code: "map(function(s) { return s.value; }, Infer({method: 'rejection', samples: 50, model() { var x = flip(0.5); condition(x || flip(0.3)); return x; }}).samples)",
    injure: () => vi.spyOn(ColumnStreams.prototype, 'begin').mockImplementation(broken),
  },
  'columns of SMC': {
    way: 'columns',
    code: samplesOf("{method: 'SMC', particles: 50}"),
    injure: () => vi.spyOn(ColumnStreams.prototype, 'begin').mockImplementation(broken),
  },
  'recorded steps of MCMC': {
    way: 'recording',
    code: samplesOf("{method: 'MCMC', samples: 600}"),
    injure: () => vi.spyOn(Tape.prototype, 'choice').mockImplementation(broken),
  },
  'recorded paths of an enumeration': {
    way: 'recording',
    code: "expectation(Infer({method: 'enumerate', model() { return sum(repeat(11, function() { return flip(0.4) ? 1 : 0; })); }}))",
    injure: () => vi.spyOn(Tape.prototype, 'mark').mockImplementation(broken),
  },
  'paths of an enumeration that are followed': {
    way: 'recording',
    code: "expectation(Infer({method: 'enumerate', model() { return sum(repeat(11, function() { return flip(0.4) ? 1 : 0; })); }}))",
    injure: () => vi.spyOn(TapeRecording.prototype, 'course').mockImplementation(broken),
  },
  'lanes of data': {
    way: 'lanes',
    code: optimised('{}'),
    injure: () => vi.spyOn(LaneStreams.prototype, 'begin').mockImplementation(broken),
  },
  'lanes of samples': {
    way: 'lanes',
    code: optimised('{estimator: {ELBO: {samples: 3}}}'),
    injure: () => vi.spyOn(LaneStreams.prototype, 'begin').mockImplementation(broken),
  },
  'compiled steps': {
    way: 'compiled',
    code: optimised('{}'),
    injure: () => vi.spyOn(CompiledStep.prototype, 'attempt').mockImplementation(broken),
  },
  'a side that columns evaluate for all': {
    way: 'columns',
    code: chosen("{method: 'importance', samples: 50}"),
    injure() {
      const breaks = breaksInSide();
      const { get } = Object.getOwnPropertyDescriptor(Column.prototype, 'numbers')!;
      vi.spyOn(Column.prototype, 'numbers', 'get').mockImplementation(function (this: Column) {
        breaks();
        return get!.call(this);
      });
    },
  },
  'a side that is recorded': {
    way: 'recording',
    code: chosen("{method: 'MCMC', samples: 600}"),
    injure() {
      const breaks = breaksInSide();
      const { operate } = Tape.prototype;
      vi.spyOn(Tape.prototype, 'operate').mockImplementation(function (this: Tape, ...args) {
        breaks();
        return operate.apply(this, args);
      });
    },
  },
  'a side that is recorded, but not taken': {
    way: 'recording',
    code: `var model = function() {
      var k = randomInteger(3);
      var shift = function(k) { var all = [k]; for (var i = 0; i < 3; i++) { all.push(all[i] * k); } return sum(all); };
      observe(Gaussian({mu: k > 0 ? shift(k) : 2 - shift(k), sigma: 1}), 2);
      return k;
    };
    map(function(s) { return s.value; }, Infer({method: 'MCMC', samples: 600, model: model}).samples)`,
    injure() {
      const { operate, trial } = Tape.prototype;
      let [isTrial, isBroken] = [false, false];
      vi.spyOn(Tape.prototype, 'trial').mockImplementation(function (this: Tape, side) {
        isTrial = true;
        return trial.call(this, side);
      });
      vi.spyOn(Tape.prototype, 'operate').mockImplementation(function (this: Tape, ...args) {
        if (isTrial && !isBroken) {
          isBroken = true;
          broken();
        }
        return operate.apply(this, args);
      });
    },
  },
  'a value of a table that the execution does not have': {
    way: 'recording',
    // A later state of the chain is recorded.
    instead: 'recording',
    code: `var model = function() {
      var o = uniformDraw([{v: 1, f(x) { return x + 1; }}, {v: 2, f(x) { return 2 * x; }}, {v: 4, f(x) { return x; }}]);
      observe(Gaussian({mu: o.f(gaussian(0, 1)), sigma: o.v}), 2);
      return o.v;
    };
    map(function(s) { return s.value; }, Infer({method: 'MCMC', samples: 600, model: model}).samples)`,
    injure() {
      const { operate } = Tape.prototype;
      let isBroken = false;
      vi.spyOn(Tape.prototype, 'operate').mockImplementation(function (this: Tape, ...args) {
        if (!isBroken && /resultsOf/.test(new Error().stack!)) {
          isBroken = true;
          broken();
        }
        return operate.apply(this, args);
      });
    },
  },
  'steps that are recorded with open lanes': {
    way: 'compiled',
    instead: 'lanes',
    code: branching,
    injure: () => vi.spyOn(Rerun.prototype, 'takenIn').mockImplementation(broken),
  },
};

/** Runs a program, and gives the ways it told of too. */
async function run(code: string, sequential = false): Promise<Told & { ways: string[] }> {
  const ways: string[] = [];
  const told = await runProgram(code, {
    engine: { sequential, precision: 'double' },
    conduct: ({ way }) => void ways.push(way),
  });
  return { ...told, ways };
}

/** Side by side and one by one agree to rounding in the graph, and to the last bit elsewhere. */
function expectSame(found: unknown, expected: unknown): void {
  const [a, b] = [found, expected].map((value) => [value].flat().map(Number));
  expect(a).toHaveLength(b.length);
  for (const [i, x] of a.entries()) expect(Math.abs(x - b[i])).toBeLessThan(1e-9);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe.each(Object.entries(WAYS))(
  'an error of the engine in %s',
  (_name, { code, way, instead = 'one by one', injure }) => {
    test('is fatal where the engine is tested', async () => {
      expect((await run(code)).ways).toContain(way);
      injure();
      const failed = run(code);
      await expect(failed).rejects.toThrow(EngineFault);
      await expect(failed).rejects.toThrow('something is broken');
    });

    test('is warned of, and results are those of one by one', async () => {
      vi.stubEnv('WAYMARK_ENGINE_ERRORS', '');
      const { value } = await run(code, true);
      injure();
      const { value: found, warnings, ways } = await run(code);
      expectSame(found, value);
      expect(ways).toContain(instead);
      const told = warnings.filter((text) => text.includes('Waymark itself failed'));
      expect(new Set(told).size).toBe(1);
      expect(told[0]).toMatch(/Waymark itself failed at program\.wppl:\d+:\d+/);
      expect(told[0]).toContain('TypeError: something is broken');
      expect(told[0]).toContain('Please report this');
    });
  },
);

describe('an error of the program', () => {
  test.each([
    [
      'columns',
      `Infer({method: 'forward', samples: 50, model() { var x = gaussian(0, 1); return x > 0.2 ? null.y : x; }})`,
    ],
    [
      'columns that look ahead',
      `Infer({method: 'rejection', samples: 50, model() { var x = gaussian(0, 1); return x > 0.2 ? error('no') : x; }})`,
    ],
    [
      'columns that look ahead, raised by JavaScript',
      `Infer({method: 'rejection', samples: 50, model() { var x = gaussian(0, 1); return x > 0.2 ? null.y : x; }})`,
    ],
    [
      'a recording',
      `Infer({method: 'MCMC', samples: 600, model() { var x = gaussian(0, 1); return Gaussian({mu: 0, sigma: x}); }})`,
    ],
    [
      'lanes',
      `${DATA} Optimize({steps: 3, model() { mapData({data: data}, function(y) { observe(Gaussian({mu: param({name: 'm'}), sigma: y}), y); }); }})`,
    ],
  ])('in %s is told in its own words', async (_way, code) => {
    expect(await failure(code)).not.toMatch(/engine|itself/);
  });
});

describe('an error of the program that no execution really meets', () => {
  const drawn = (returned: string): string => `var model = function() {
    var k = randomInteger(3);
    var lists = [[1], [2], undefined];
    var o = k > 1 ? undefined : {v: k, text: 'ab'};
    return ${returned};
  };`;
  test.each([
    ['a field of nothing', 'k < 2 ? o.v + 1 : 7'],
    ['an item of nothing', 'k < 2 ? lists[k][0] : 7'],
    ['a bigint with a number', '[(k > 4 ? 2n * k : 1) + 1, k]'],
    ['a field within && and ||', '[k < 2 && o.v > 0, k > 1 || o.v > 0]'],
    ['a method of nothing', "k < 2 ? o.text.repeat(k + 1) : 'c'"],
    ['a function that refuses', "k < 2 ? 'ab'.repeat(1 - k) : 'c'"],
  ])('is no fault of the engine: %s', async (_name, returned) => {
    for (const options of [
      "method: 'importance', samples: 200",
      "method: 'SMC', particles: 200",
      "method: 'MCMC', samples: 600",
    ]) {
      const code = `${drawn(returned)} map(function(s) { return s.value; }, Infer({model: model, ${options}}).samples)`;
      const [found, expected] = [await run(code), await run(code, true)];
      expect(found.value).toEqual(expected.value);
      expect(found.warnings.filter((text) => text.includes('itself failed'))).toEqual([]);
    }
  });
});
