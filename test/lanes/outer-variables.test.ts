/** Variables that functions inside a model change on sides of conditionals. */
import { expect, test } from 'vitest';
import { both } from './both-ways.ts';

const METHODS = [
  "method: 'importance', samples: 300",
  "method: 'SMC', particles: 200",
  "method: 'MCMC', samples: 600",
  "method: 'enumerate'",
];

/** What is merged where the function was called. */
const TOGETHER: Readonly<Record<string, string>> = {
  'in a callback': `
    let n = 0;
    let last = -1;
    [1, 2, 3, 4].forEach((x) => {
      if (flip(0.4)) { n += x; last = x; }
      factor(-n / 5);
    });
    return [n, last];`,
  'both sides, one inside the other': `
    let [a, b] = [0, 0];
    [1, 2, 3].forEach((x) => {
      let c = 0;
      if (flip(0.4)) { a += x; c = 1; if (flip(0.3)) { b = a; a++; } else b--; }
      else if (flip(0.5)) { b += 10; c = 2; }
      factor((c * a - b) / 20);
    });
    return [a, b];`,
  'in a function with a name, and a loop in it': `
    let total = 0;
    const add = (x: number) => {
      for (let i = 0; i < 2; i++) if (flip(0.3 + 0.1 * i)) total += x;
      if (total > 2) total -= 0.5;
    };
    add(1); add(2);
    factor(-total);
    return total;`,
};

/** The variable is another one on each side that the function is called on, or is changed by host code: nothing is merged twice. */
const EITHER_WAY: Readonly<Record<string, string>> = {
  'called on a side': `
    let total = 0;
    const add = (x: number) => { if (flip(0.5)) total += x; else total -= x; };
    const agreed = (x: number) => { if (x > 0) total += x; };
    if (flip(0.3)) { add(1); agreed(2); }
    if (flip(0.3)) agreed(-1);
    add(3);
    return total;`,
  'called on a side by a callback on a side': `
    let total = 0;
    const all = (xs: number[]) => xs.forEach((x) => { if (flip(0.5)) total += x; });
    [1, 2].forEach((x) => { if (flip(0.4)) { total++; all([x, 5]); if (total > 3) total = 0; } });
    return total;`,
  'in a comparison of a list that differs': `
    let compared = 0;
    const xs = [gaussian(0, 1), gaussian(0, 1), gaussian(0, 1)];
    if (flip(0.2)) factor(xs[0] / 10);
    const sorted = [...xs].sort((a, b) => { if (a > b) compared++; return a - b; });
    return [sorted[0], compared];`,
  'in a comparison of a list of numbers': `
    let compared = 0;
    const xs = [gaussian(0, 1), gaussian(0, 1), gaussian(0, 1)];
    xs.sort((a, b) => { compared++; return a - b; });
    return [xs[0], compared];`,
  'in callbacks of lists that differ': `
    let n = 0;
    const xs = flip(0.5) ? [gaussian(0, 1), 2] : [1, gaussian(3, 1), 7];
    const found = xs.findLast((x) => { n++; return x > 1; });
    const words = ['a', 'bb', 'ccc'].slice(flip(0.5) ? 1 : 0);
    const lengths = words.flatMap((word) => { if (word.length > 1) n += 10; return word; });
    return [found ?? 0, n, lengths.join('')];`,
  'two executions deep': `
    let n = 0;
    const inner = Infer({ method: 'enumerate', model: () => { let k = 0; [1, 2].forEach((x) => { if (flip(0.3)) { k += x; } }); return k; } });
    [1, 2].forEach(() => { if (flip(0.3)) n += sample(inner); });
    return n;`,
};

const program = (body: string, method: string): string =>
  `import { factor, flip, gaussian, Infer, sample } from 'waymark';
   const model = () => { ${body} };
   export default Infer({ ${method}, model });`;

test.each(Object.entries(TOGETHER))('%s', async (_, body) => {
  for (const method of METHODS) {
    const { together, alone, how } = await both(program(body, method), 1, 'ts');
    expect(together).toEqual(alone);
    if (/importance|SMC/.test(method)) expect(how).toMatch(/(executions|particles) side by side(?!, in)/);
  }
});

test.each(Object.entries(EITHER_WAY))('%s', async (_, body) => {
  for (const method of METHODS) {
    if (body.includes('gaussian') && method.includes('enumerate')) continue;
    const { together, alone } = await both(program(body, method), 1, 'ts');
    expect(together).toEqual(alone);
  }
});
