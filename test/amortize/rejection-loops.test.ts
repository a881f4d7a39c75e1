/** Loops that reject, as programs write them: what is known of them, and that weights are right with them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { compile, prepareParser } from '../../src/compiler/compile.ts';
import { libraryNames } from '../../src/program/scope.ts';
import { runProgram } from '../optimize/run-optimize.ts';

const DRAW = 'const x = uniform(-1, 1), y = uniform(-1, 1), s = x * x + y * y;';
const VALUE = 'x * Math.sqrt(-2 * Math.log(s) / s)';

/** A normal number by Marsaglia's polar method, in each form that a loop can have. */
const FORMS: Readonly<Record<string, string>> = {
  'while, return': `const normal = () => { while (true) { ${DRAW} if (s < 1) return ${VALUE}; } };`,
  'while, continue': `const normal = () => { while (true) { ${DRAW} if (s >= 1) continue; return ${VALUE}; } };`,
  'for, break': `const normal = () => { let z; for (;;) { ${DRAW} z = s < 1 ? ${VALUE} : 0; if (s < 1) break; } return z; };`,
  'do, while': `const normal = () => { let x, s; do { x = uniform(-1, 1); s = x * x + uniform(-1, 1) ** 2; } while (s >= 1); return ${VALUE}; };`,
  recursion: `const normal = () => { ${DRAW} return s < 1 ? ${VALUE} : normal(); };`,
  'recursion, two returns': `const normal = () => { ${DRAW} if (s >= 1) return normal(); return ${VALUE}; };`,
  'functions of the program': `
    const square = (a) => a * a;
    const draw = () => uniform(-1, 1);
    const normal = () => { while (true) { const x = draw(); const s = square(x) + square(draw()); if (s < 1) return ${VALUE}; } };`,
  'rejection()': `const normal = () => rejection(() => { ${DRAW} if (s < 1) return ${VALUE}; });`,
};

/** Loops that are none of them: what one round does shows in the next, or counts. */
const OTHERS: Readonly<Record<string, string>> = {
  counter: 'let n = 0; while (true) { n++; if (flip(0.5)) break; } return n;',
  walk: 'let x = 0; while (true) { x = gaussian(x, 1); if (x > 1) return x; }',
  list: 'const xs = []; while (true) { xs.push(flip(0.5)); if (xs.length > 3) break; } return xs;',
  field: 'const o = {n: 0}; while (true) { o.n = o.n + 1; if (flip(0.5)) return o.n; }',
  factor: 'while (true) { factor(-1); if (flip(0.5)) return 1; }',
  'factor in a function': 'while (true) { if (weigh()) return 1; }',
  'sometimes set': 'let x; while (true) { if (flip(0.3)) { x = 1; } if (x === 1) return x; }',
  'var without value': 'while (true) { var x; if (flip(0.3)) { x = 1; } if (x === 1) return x; }',
  'function that is given': 'while (true) { if (data.f(1)) return 1; }',
  'counted for': 'for (let i = 0; i < 3; i++) { if (flip(0.5)) return i; } return 3;',
  'tested while': 'let x = flip(0.5); while (!x) { x = flip(0.5); } return x;',
  'inner return': 'while (true) { for (const i of [1, 2]) { if (flip(0.5)) return i; } }',
  'other arguments': 'const f = (n) => flip(0.5) ? n : f(n + 1); return f(0);',
  'not in return position': 'const f = () => flip(0.5) ? 0 : 1 + f(); return f();',
  'parameter changed': 'const f = (n) => { n = n + 1; return flip(0.5) ? n : f(n); }; return f(0);',
};

describe('what the compiler finds', () => {
  beforeAll(() => prepareParser('js'));
  const found = (text: string): boolean => {
    const program = `import {uniform, flip, gaussian, factor, rejection} from 'waymark';\nconst weigh = () => { factor(-1); return flip(0.5); };\n${text}`;
    const { code } = compile(program, { file: 'model.js', language: 'js', library: libraryNames });
    return code.includes('$.rejecting()');
  };

  test.each(Object.entries(FORMS).filter(([name]) => name !== 'rejection()'))('%s', (_name, text) => {
    expect(found(text)).toBe(true);
  });

  test.each(Object.entries(OTHERS))('not: %s', (_name, text) => {
    expect(found(`export default (data) => { ${text} };`)).toBe(false);
  });
});

describe('evidence is right with', () => {
  test.each(Object.entries(FORMS))('%s', async (_name, text) => {
    const { value } = await runProgram(`${text}
      const model = (data) => {
        const mu = normal();
        observe(Gaussian({mu, sigma: 0.6}), data[0]);
        observe(Gaussian({mu, sigma: 0.6}), data[1]);
        return mu;
      };
      const net = Amortize(model, {example: [0, 0], steps: 60, samples: 32, stepSize: 0.02, network: {hidden: 16, components: 3}});
      const p = net.posterior([-1, -1.2], {samples: 500});
      [p.logZ, expectation(p), p.diagnostics.ess]`);
    const [logZ, mean, ess] = value as number[];
    // Precision 1 + 2 / 0.36.
    const precision = 1 + 2 / 0.36;
    const log = (x: number, variance: number) => -0.5 * (Math.log(2 * Math.PI * variance) + (x * x) / variance);
    const exact = log(-2.2 / Math.SQRT2, 2 + 0.36) + log(0.2 / Math.SQRT2, 0.36);
    expect(Math.abs(Math.expm1(logZ - exact))).toBeLessThan(4.5 * Math.sqrt((500 / ess - 1) / 500));
    expect(Math.abs(mean - -2.2 / 0.36 / precision)).toBeLessThan(4.5 / Math.sqrt(precision * ess));
    expect(ess).toBeGreaterThan(100);
  });
});
