import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'acorn';
import { expect, inject, test } from 'vitest';
import { printed, project } from './installed.ts';

const app = inject('installed');

test('a module of waymark export runs where nothing else is', () => {
  const folder = project(app, 'exporting', {
    'model.ts': `import { Gaussian, gaussian, map, observe } from 'waymark';
      export default (ys: number[]) => {
        const mu = gaussian(0, 2);
        map((y) => observe(Gaussian({ mu, sigma: 1 }), y), ys);
        return { mu };
      };`,
    'train.ts': `import { Amortize } from 'waymark';
      import model from './model.ts';
      Amortize(model, { example: [0, 1], steps: 20, samples: 64 }).save('model.net');`,
    'use.mts': `import { posterior } from './out/model.js';
      const mu: number = posterior([1, 2]).samples[0].mu;
      // @ts-expect-error data are numbers
      posterior(['a']);
      console.log(mu);`,
  });
  const waymark = join(app.folder, 'node_modules/waymark/bin/waymark.js');
  printed(folder, process.execPath, waymark, 'run', 'train.ts', '--quiet', '--seed', '1');
  printed(folder, process.execPath, waymark, 'export', 'model.ts', '--net', 'model.net', '--out', 'out');
  const text = readFileSync(join(folder, 'out/model.js'), 'utf8');
  const imports = parse(text, { ecmaVersion: 'latest', sourceType: 'module' }).body.filter(
    ({ type }) => type === 'ImportDeclaration',
  );
  expect(imports).toEqual([]);
  const elsewhere = mkdtempSync(join(tmpdir(), 'waymark-alone-'));
  try {
    writeFileSync(join(elsewhere, 'model.mjs'), text);
    writeFileSync(
      join(elsewhere, 'use.mjs'),
      `import { posterior, example } from './model.mjs';
      const { summary, ess } = posterior([3, 3, 3, 3], { samples: 4000, seed: 1 });
      console.log(JSON.stringify({ mean: summary.mu.mean, ess, example }));`,
    );
    const { mean, ess, example } = JSON.parse(printed(elsewhere, process.execPath, 'use.mjs'));
    // N(48/17, 4/17).
    expect(Math.abs(mean - 48 / 17)).toBeLessThan((5 * Math.sqrt(4 / 17)) / Math.sqrt(ess));
    expect(example).toHaveLength(2);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
  printed(folder, process.execPath, join(app.folder, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', 'use.mts'); // biome-ignore format: one line
});
