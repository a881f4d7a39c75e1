/** Objects that functions make and change, and variables changed on one side, for executions side by side. */
import { describe, expect, test } from 'vitest';
import { both } from './both-ways.ts';

/** Bodies of models that run side by side. */
const TOGETHER: Readonly<Record<string, string>> = {
  'a list that grows': `
    const xs: number[] = [];
    for (let i = 0; i < 4; i++) { xs.push(gaussian(xs.length === 0 ? 0 : xs[i - 1], 1)); observe(Gaussian({mu: xs[i], sigma: 1}), i); }
    return {xs, last: xs[3], n: xs.length};`,
  'elements that are assigned': `
    const state = new Array(5).fill(0);
    for (let t = 1; t < 5; t++) { state[t] = state[t - 1] + gaussian(0, 1); observe(Gaussian({mu: state[t], sigma: 1}), t / 2); }
    state[0] += state[4];
    return state;`,
  'fields changed on one side': `
    const o = {n: 0, heads: 0, last: 'none'};
    for (let i = 0; i < 6; i++) { o.n += 1; if (flip(0.4)) { o.heads++; o.last = 'head'; } else if (o.heads > 1) { o.n = o.n * 2; } }
    observe(Gaussian({mu: o.heads, sigma: 1}), 2);
    return o;`,
  'variables changed on one side': `
    let [a, b, c] = [0, 1, 'x'];
    let d;
    for (let i = 0; i < 5; i++) { const y = gaussian(0, 1); if (y > a) { a = y; b += 1; } else { c = c + 'y'; d = y; } }
    factor(-a);
    if (flip(0.3)) { b = 0; } else { b++; }
    return [a, b, c, d === undefined ? 'none' : d];`,
  'lists that grow on one side': `
    const heads: number[] = [];
    const tails: number[] = [];
    for (let i = 0; i < 3; i++) { if (flip(0.5)) { heads.push(i); } else { tails.push(i); } }
    observe(Gaussian({mu: heads.length, sigma: 1}), 1);
    return {heads, tails};`,
  'what callbacks change': `
    const sums: number[] = [];
    const total = {value: 0};
    [1, 2, 3].forEach((x, i) => { total.value += x * gaussian(0, 1); sums.push(total.value); });
    map((s: number) => observe(Gaussian({mu: s, sigma: 2}), 1), sums);
    return [sum(sums), ...sums, Math.max(...sums)];`,
  'a list changed at places that differ': `
    const counts = [0, 0, 0];
    const free = [0, 0];
    const all = [true, true, false];
    for (let i = 0; i < 6; i++) {
      const k = randomInteger(3);
      counts[k]++;
      const first = free[0] <= free[1] ? 0 : 1;
      free[first] = Math.max(free[first], i) + gaussian(1, 0.2);
      if (flip(0.5)) { counts[(k + 1) % 3] += 2; all[k] = !all[k]; }
      observe(Gaussian({mu: free[first], sigma: 1}), i);
    }
    return {counts, free, all, most: Math.max(...counts)};`,
  'a list that is put in order': `
    const xs: number[] = [];
    for (let i = 0; i < 4; i++) { xs.push(gaussian(0, 1)); }
    xs.sort((a, b) => a - b);
    observe(Gaussian({mu: xs[3], sigma: 1}), 2);
    xs.reverse();
    const ys = [1, 2];
    if (flip(0.4)) { ys.push(0); }
    ys.sort((a, b) => b - a);
    return [xs, ys, ys[ys.length - 1]];`,
  'gone through by the library': `
    const xs = [gaussian(0, 1)];
    xs.push(gaussian(xs[0], 1));
    return [reduce((x: number, total: number) => total + x, 0, xs), foldl((most: number, x: number) => x > most ? x : most, -9, xs)];`,
  'stacks and queues': `
    const stack = [gaussian(0, 1), 2];
    stack.unshift(gaussian(1, 1));
    const top = stack.pop()!;
    const first = stack.shift()!;
    stack.push(top + first, first);
    factor(-Math.abs(stack[0]));
    let count = 0;
    for (const x of stack) { if (x > 0) { count++; } }
    return [stack, count, stack.map((x) => x * 2)];`,
  'one in each call, returned on either side': `
    const collect = (n: number): number[] => {
      const xs: number[] = [];
      for (let i = 0; i < n; i++) { xs.push(gaussian(i, 1)); }
      if (xs[0] > 0) { return xs; }
      xs.push(100);
      return xs;
    };
    const ys = collect(2);
    observe(Gaussian({mu: ys[1], sigma: 1}), 0.5);
    return [collect(1), ys.length];`,
  'indices that differ': `
    const counts = [0, 0, 0];
    for (let i = 0; i < 3; i++) { const k = randomInteger(3); counts[k] += 1; }
    factor(counts[0]);
    return counts;`,
  'a counter in loops that end early': `
    let k = 0;
    let steps = 0;
    for (let i = 0; i < 4; i++) { if (flip(0.5)) { steps++; continue; } k += i; if (k > 4) { break; } }
    observe(Gaussian({mu: k + steps, sigma: 1}), 3);
    return [k, steps];`,
};

/** Bodies in which an object has other names; they may run in any way, and give the same. */
const ANYHOW: Readonly<Record<string, string>> = {
  'another name on one side': `
    const xs = [1];
    const ys = flip(0.5) ? xs : [2];
    xs.push(gaussian(0, 1));
    return [xs.length, ys.length];`,
  'a function that keeps it': `
    const o = {n: 0};
    const keep = (x: {n: number}) => ({x});
    const kept = keep(o);
    if (flip(0.5)) { o.n = 1; }
    return kept.x.n;`,
  'a function that is called later': `
    const o = {n: 0};
    const add = () => { o.n++; };
    if (flip(0.5)) { add(); }
    add();
    return o.n;`,
  'one that the function is given': `
    const grow = (xs: number[]) => { xs.push(gaussian(0, 1)); return xs.length; };
    const xs: number[] = [];
    grow(xs);
    return [grow(xs), xs];`,
  'inside of another': `
    const grid = [[0, 0], [0, 0]];
    grid[0][1] = gaussian(0, 1);
    const row = grid[0];
    row[0] = 5;
    return grid;`,
  'in a list that the library makes': `
    const xs = [1];
    const held = cons(xs, []);
    const either = flip(0.5) ? held : [[7]];
    xs.push(2);
    return either[0].length;`,
  'what the library begins with': `
    const xs = [1];
    const either = flip(0.5) ? reduce((_x: number, soFar: number[]) => soFar, xs, [3]) : [7];
    xs.push(2);
    return either.length;`,
  'taken up again by name': `
    let xs: number[] = [];
    const all = [xs];
    if (flip(0.5)) { xs = [1]; }
    xs.push(2);
    return [all, xs];`,
  'thrown and caught': `
    const o = {n: 0};
    try { o.n = 1; if (flip(0.5)) { throw new Error('no'); } o.n = 2; } catch { o.n += 10; }
    return o.n;`,
  'maps and sets': `
    const seen = new Set<number>();
    const counts = new Map<string, number>();
    for (let i = 0; i < 4; i++) { const k = randomInteger(3); seen.add(k); counts.set('k' + k, (counts.get('k' + k) ?? 0) + 1); }
    factor(seen.size);
    return [seen.size, counts.get('k0') ?? 0, [...seen].sort((a, b) => b - a)];`,
};

const program = (options: string, body: string): string => `
  import { cons, factor, flip, foldl, Gaussian, gaussian, Infer, map, observe, randomInteger, reduce, sum } from 'waymark';
  export default Infer({ ${options}, model() { ${body} } });`;

describe.each([
  "method: 'importance', samples: 60",
  "method: 'forward', samples: 60",
  "method: 'SMC', particles: 100",
  "method: 'SMC', particles: 40, rejuvSteps: 1",
])('%s', (options) => {
  test.each(Object.keys(TOGETHER))('%s', async (name) => {
    const { together, alone, how } = await both(program(options, TOGETHER[name]), 1, 'ts');
    expect(together).toEqual(alone);
    expect(typeof together).toBe('object');
    // Particles do not part.
    if (!options.includes('SMC')) expect(how).toContain('side by side');
  });

  test.each(Object.keys(ANYHOW))('%s', async (name) => {
    const { together, alone } = await both(program(options, ANYHOW[name]), 2, 'ts');
    expect(together).toEqual(alone);
    expect(typeof together).toBe('object');
  });
});
