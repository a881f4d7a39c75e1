/** What cannot be done even by one execution alone ends with an error that names the place, and never begins again for ever. */
import { expect, test, vi } from 'vitest';
import { type ProgramError, run } from '../../src/program/run.ts';
import { OneByOne } from '../../src/runtime/signals.ts';

const METHODS: readonly string[] = [
  "Infer({method: 'forward', samples: 20, model})",
  "Infer({method: 'importance', samples: 20, model})",
  "Infer({method: 'rejection', samples: 20, model})",
  "Infer({method: 'SMC', particles: 20, model})",
  "Infer({method: 'enumerate', model: function() { flip(0.5); return body(1); }})",
  "Infer({method: 'MCMC', samples: 600, model})",
  "Infer({method: 'MCMC', samples: 20, kernel: 'HMC', model})",
  "Infer({method: 'MCMC', samples: 20, kernel: 'NUTS', model})",
  "Infer({method: 'optimize', steps: 5, samples: 20, verbose: false, model})",
  'Optimize({steps: 5, verbose: false, model})',
  'Optimize({steps: 5, estimator: {ELBO: {samples: 3}}, verbose: false, model})',
  'Optimize({steps: 5, estimator: {dream: {samples: 2}}, verbose: false, model: dreamt})',
  'Optimize({steps: 5, verbose: false, model: dreamt})',
  'forward(model)',
];

const program = (inference: string): string => `
var body = function(x) {
  return Object.isSealed(x);
};
var model = function() { var x = gaussian(0, 1); return body(x); };
var dreamt = function() { mapData({data: [1, 2, 3, 4, 5]}, function(y) { observe(Gaussian({mu: body(gaussian(0, 1)), sigma: 1}), y); }); };
${inference}`;

test.each(METHODS.flatMap((inference) => [false, true].map((sequential) => [inference, sequential] as const)))(
  '%s, sequential: %s',
  async (inference, sequential) => {
    const spy = vi.spyOn(Object, 'isSealed').mockImplementation(() => {
      throw new OneByOne('value', 'nobody can do it');
    });
    try {
      const error: ProgramError = await run(program(inference), { seed: 1, warn() {}, engine: { sequential } }).then(
        () => expect.unreachable('the program should have failed'),
        (thrown) => thrown,
      );
      expect(error.located.message).toContain('nobody can do it. That is a fault of Waymark');
      expect(error.located.line).toBe(3);
    } finally {
      spy.mockRestore();
    }
  },
);
