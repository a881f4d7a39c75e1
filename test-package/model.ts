/** An app's module, as every kind of project has it: a model, an enum and a class beside it, and what was learned. */
export const MODEL = `
import { Gaussian, gaussian, Infer, mapData, observe, Optimize, expectation, withSeed } from 'waymark';

enum Width { Narrow = 1, Wide = 2 }

class Report {
  #lines: string[] = [];
  add(name: string, x: number): this { this.#lines.push(name + ' ' + x.toFixed(6)); return this; }
  get text(): string { return this.#lines.join('; '); }
}

const data: number[] = [1.9, 2.1, 2.0, 2.4];

const model = (): number => {
  const m = gaussian(0, 1);
  mapData({ data }, (y: number) => {
    if (y > 2.2) observe(Gaussian({ mu: m, sigma: Width.Narrow }), y);
    else observe(Gaussian({ mu: m, sigma: Width.Wide }), y);
  });
  return m;
};

export async function learned(): Promise<string> {
  await Promise.resolve();
  return withSeed(1, () => {
    const params = Optimize({ model, steps: 200, verbose: false, optMethod: { adam: { stepSize: 0.1 } } });
    const [mu] = Object.values(params);
    const chain = Infer({ method: 'MCMC', kernel: 'NUTS', samples: 200, burn: 100, model });
    return new Report().add('guide', mu.data[0]).add('chain', expectation(chain)).text;
  });
}
`;

/** Exact: four observations of a mean with a normal prior. */
export const EXACT = (2.4 + (1.9 + 2.1 + 2.0) / 4) / (1 + 1 + 3 / 4);

/** Learns once, and prints it. */
export const MAIN = `import { learned } from './model.ts';\nconsole.log(await learned());\n`;

export const RAIN = `
var prior = 0.3;
Infer({method: 'enumerate', model: function() { var rain = flip(prior); condition(flip(rain ? 0.9 : 0.1)); return rain; }})
`;
