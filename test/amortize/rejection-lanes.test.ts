/** Loops that reject, for executions side by side: dreams and posteriors are those of one by one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { meter } from '../../src/lanes/columns/meter.ts';
import { runProgram } from '../optimize/run-optimize.ts';

beforeAll(() => {
  meter.isPatient = true;
});
afterAll(() => {
  meter.isPatient = false;
});

const DRAW = 'const x = uniform(-1, 1), y = uniform(-1, 1), s = x * x + y * y;';
const VALUE = 'x * Math.sqrt(-2 * Math.log(s) / s)';

const FORMS: Readonly<Record<string, string>> = {
  'while, return': `const normal = () => { while (true) { ${DRAW} if (s < 1) return ${VALUE}; } };`,
  'while, continue': `const normal = () => { while (true) { ${DRAW} if (s >= 1) continue; return ${VALUE}; } };`,
  'return of another draw': `const normal = () => { while (true) { ${DRAW} if (s < 1) return gaussian(${VALUE}, 0.1); } };`,
  'return of a list': `const pair = () => { for (;;) { ${DRAW} if (s < 1) return [${VALUE}, y]; } }; const normal = () => pair()[0];`,
  'for, break': `const normal = () => { let z; for (;;) { ${DRAW} z = s < 1 ? ${VALUE} : 0; if (s < 1) break; } return z; };`,
  'do, while': `const normal = () => { let x, s; do { x = uniform(-1, 1); s = x * x + uniform(-1, 1) ** 2; } while (s >= 1); return ${VALUE}; };`,
  'a loop in a loop': `
    const inner = () => { while (true) { const a = uniform(-1, 1); if (a * a < 0.8) return a; } };
    const normal = () => { while (true) { const x = inner(), y = uniform(-1, 1), s = x * x + y * y; if (s < 1) return ${VALUE}; } };`,
  'on a side': `
    const polar = () => { while (true) { ${DRAW} if (s < 1) return ${VALUE}; } };
    const normal = () => flip(0.7) ? polar() : 0.5;`,
  recursion: `const normal = () => { ${DRAW} return s < 1 ? ${VALUE} : normal(); };`,
  'recursion, two returns': `const normal = () => { ${DRAW} if (s >= 1) return normal(); return ${VALUE}; };`,
  'recursion with arguments': `
    const polar = (m, sd) => { ${DRAW} return s < 1 ? m + sd * ${VALUE} : polar(m, sd); };
    const normal = () => polar(gaussian(0, 0.1), 1);`,
};

const program = (text: string, method: string): string => `${text}
  const model = (data) => {
    const mu = normal();
    observe(Gaussian({mu, sigma: 0.6}), data[0]);
    const nu = normal();
    observe(Gaussian({mu: mu + nu, sigma: 0.6}), data[1]);
    return mu;
  };
  const net = Amortize(model, {example: [0, 0], steps: 3, samples: 24, stepSize: 0.02, network: {hidden: 16, components: 3}, seed: 7});
  const p = net.posterior([-1, -1.2], {samples: 60, method: '${method}'});
  const met = net.summary().sites.map((site) => site.met);
  [p.logZ ?? 0, expectation(p), met]`;

/** What has to be weighed for one execution at a time. */
const ALONE: ReadonlySet<string> = new Set(['a loop in a loop']);

describe.each(Object.entries(FORMS))('%s', (name, text) => {
  test.each(['importance', 'forward'])('%s', async (method) => {
    const told: string[] = [];
    const warn = (line: string): void => void told.push(line);
    const together = await runProgram(program(text, method), { warn, engine: { explainBatching: true } });
    const alone = await runProgram(program(text, method), { engine: { sequential: true } });
    const [a, b] = [together.value as [number, number, number[]], alone.value as [number, number, number[]]];
    expect(a[0]).toBeCloseTo(b[0], 4);
    expect(a[1]).toBeCloseTo(b[1], 4);
    expect(a[2]).toEqual(b[2]);
    const isAlone = method === 'importance' && ALONE.has(name);
    expect(told.join()).toContain(isAlone ? 'inside another' : 'side by side');
    if (!isAlone) expect(told.join()).not.toContain('one by one');
  });
});
