/**
 * Families and functions against values and slopes that were computed elsewhere (`known-values.ts`), in every way that programs have:
 * plain, in columns, in a graph of one number and of many, recorded or compiled, side by side or one by one.
 */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { KNOWN_VALUES } from './known-values.ts';

const COMMON = `
  var hiddenMarkov = function(x) {
    var stay = sigmoid(x);
    foldData({data: [0.1, -0.3, 2.2, 1.8, 2.1, 0.2], init: 0, sumOut: true}, function(k, y) {
      var next = sample(Bernoulli({p: stay})) ? k : 1 - k;
      observe(Gaussian({mu: 2 * next, sigma: 0.5}), y);
      return next;
    });
    return 0;
  };`;

/** Up to this, relative to numbers larger than 1. */
const TOLERANCE = 1e-8;

const isNear = (found: number, known: number): boolean =>
  Math.abs(found - known) <= TOLERANCE * Math.max(1, Math.abs(known));

const functions = KNOWN_VALUES.map(([code]) => `function(x) { return ${code}; }`);
const points = KNOWN_VALUES.map(([, rows]) => rows.map(([x]) => x));
const TABLE = `var functions = [${functions.join(',\n')}];\nvar points = ${JSON.stringify(points)};`;

/** These count by themselves: they have no value, and are known by their slope. */
const countsItself = (code: string): boolean => code.startsWith('hiddenMarkov');

/** Numbers for each row and point; what is off is listed with what it should be. */
function offOf(found: readonly (readonly number[])[], which: 'value' | 'slope'): string[] {
  return KNOWN_VALUES.flatMap(([code, rows], k) =>
    rows.flatMap(([x, value, slope], i) => {
      const known = which === 'value' ? value : slope;
      if ((which === 'value' && countsItself(code)) || isNear(found[k][i], known)) return [];
      return [`the ${which} of ${code} at ${x} is ${known}, and was ${found[k][i]}`];
    }),
  );
}

/** A step of gradient ascent moves each parameter by its slope. */
const ascent = (each: (k: number) => string, steps: number): string => `
  Optimize({steps: ${steps}, verbose: false, optMethod: {sgd: {stepSize: ${1 / steps}}}, model: function() {
    ${functions.map((_, k) => `(function() { var w = modelParam({name: 'w${k}', dims: [${points[k].length}, 1], mu: 0, sigma: 0}); ${each(k)} })();`).join('\n')}
  }});
  map(function(k) { return T.toScalars(getParams()['w' + k]); }, _.range(points.length))`;

describe.each([
  ['side by side', false],
  ['one by one', true],
] as const)('%s', (_name, sequential) => {
  const answer = async (code: string): Promise<unknown> =>
    (
      await run(`${COMMON}\n${TABLE}\n${code}`, {
        seed: 1,
        engine: { sequential, precision: 'double' },
        warn: () => {},
      })
    ).value;

  test('values of plain numbers', async () => {
    const plain = KNOWN_VALUES.map(([code], k) =>
      countsItself(code) ? '[0, 0]' : `map(functions[${k}], points[${k}])`,
    );
    expect(offOf((await answer(`[${plain.join(', ')}]`)) as number[][], 'value')).toEqual([]);
  });

  test('values of choices', async () => {
    const most = Math.max(...points.map(({ length }) => length));
    const drawn = (await answer(
      `Infer({method: 'forward', samples: 40, model: function() {
        var i = randomInteger(${most});
        return {i: i, row: [${KNOWN_VALUES.map(([code], k) => (countsItself(code) ? '0' : `functions[${k}](points[${k}][i % ${points[k].length}])`))}]};
      }}).samples`,
    )) as { value: { i: number; row: number[] } }[];
    const found = points.map((row, k) =>
      row.map((_, place) => drawn.find(({ value }) => value.i % row.length === place)!.value.row[k]),
    );
    expect(offOf(found, 'value')).toEqual([]);
  });

  test.each([
    [
      'lanes',
      (k: number) => `mapData({data: points[${k}]}, function(d, i) { factor(functions[${k}](d + T.get(w, i))); });`,
    ],
    [
      'single numbers',
      (k: number) => points[k].map((_, i) => `factor(functions[${k}](points[${k}][${i}] + T.get(w, ${i})));`).join(' '),
    ],
  ])('slopes of %s', async (_kind, each) => {
    expect(offOf((await answer(ascent(each, 1))) as number[][], 'slope')).toEqual([]);
  });

  test('values in compiled steps', async () => {
    // The slope is the value itself, and stays what it is from step to step.
    const each = (k: number): string =>
      countsItself(KNOWN_VALUES[k][0])
        ? ''
        : `mapData({data: points[${k}]}, function(d, i) { factor(T.get(w, i) * functions[${k}](d + 0 * T.get(w, i))); });`;
    expect(offOf((await answer(ascent(each, 8))) as number[][], 'value')).toEqual([]);
  });
});
