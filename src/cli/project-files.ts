/** The files of a new project, by name. */

export function projectFiles(name: string, version: string): Record<string, string> {
  return {
    'package.json': `${JSON.stringify(packageJson(name, version), null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(TSCONFIG, null, 2)}\n`,
    'model.ts': MODEL,
    'model.test.js': TEST,
    '.gitignore': 'node_modules\nreport.html\n',
  };
}

const packageJson = (name: string, version: string): object => ({
  name,
  private: true,
  type: 'module',
  scripts: {
    start: 'waymark run model.ts --seed 1',
    report: 'waymark run model.ts --seed 1 --html report.html',
    check: 'waymark check model.ts',
    test: 'node --test',
  },
  dependencies: { waymark: `^${version}` },
  devDependencies: { typescript: '>=5.5', vega: '^6', 'vega-lite': '^6' },
});

/** Compiler options for programs and models. */
export const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
};

const TSCONFIG = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] };

const MODEL = `import { Gaussian, gaussian, Infer, mapData, observe, viz } from 'waymark';

/** Yields of a field, in tonnes, by how much fertiliser it had. */
interface Plot {
  readonly fertiliser: number;
  readonly tonnes: number;
}

const plots: Plot[] = [
  { fertiliser: 0, tonnes: 2.1 },
  { fertiliser: 1, tonnes: 2.9 },
  { fertiliser: 2, tonnes: 4.2 },
  { fertiliser: 3, tonnes: 4.8 },
  { fertiliser: 4, tonnes: 6.1 },
];

/** Yields of plots that are treated alike differ by this much. */
const NOISE = 0.3;

/** What may be: a straight line, and noise around it. */
function model() {
  const start = gaussian(0, 5);
  const slope = gaussian(0, 5);
  mapData({ data: plots }, ({ fertiliser, tonnes }) => {
    observe(Gaussian({ mu: start + slope * fertiliser, sigma: NOISE }), tonnes);
  });
  return { start, slope };
}

const posterior = Infer({ method: 'MCMC', kernel: 'NUTS', samples: 500, burn: 500, model });
viz.forest(posterior, { title: 'Where the line may begin, and how steep it may be' });

export default posterior;
`;

const TEST = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { expectation } from 'waymark';
import { run } from 'waymark/program';

test('each unit of fertiliser gives about a tonne', async () => {
  const { value } = await run(readFileSync('model.ts', 'utf8'), { file: 'model.ts', seed: 1 });
  const slope = expectation(value, (line) => line.slope);
  assert.ok(Math.abs(slope - 1) < 0.2, \`the slope is \${slope}\`);
});
`;
