import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import { findBrowser, stage } from '../playground/test/browser.ts';
import { install, printed, project } from './installed.ts';
import { EXACT, MAIN, MODEL, RAIN } from './model.ts';

const app = inject('installed');

/** `guide 1.04…; chain 1.10…`: near what is exact, and the same wherever it is computed but for rounding. */
function expectLearned(text: string, where: 'Node' | 'a page' | 'elsewhere' = 'Node'): void {
  const [, guide, chain] = /guide (-?[\d.]+); chain (-?[\d.]+)/.exec(text) ?? [];
  // 200 noisy steps, and 200 correlated samples of a normal with standard deviation 0.6.
  expect(Math.abs(Number(guide) - EXACT), text).toBeLessThan(0.3);
  expect(Math.abs(Number(chain) - EXACT), text).toBeLessThan(0.3);
  // Other engines round functions of Math otherwise, and a chain goes another way. So do other versions of V8, in browsers.
  if (where === 'elsewhere') return;
  learnedBy.push([Number(guide), Number(chain)]);
  const alike = where === 'a page' ? 1 : 2;
  for (let i = 0; i < alike; i++) expect(learnedBy.at(-1)?.[i]).toBeCloseTo(learnedBy[0][i], 4);
}
const learnedBy: [number, number][] = [];

const node = (folder: string, ...args: readonly string[]): string => printed(folder, process.execPath, ...args);
const bin = (name: string, file: string): string => join(app.folder, 'node_modules', name, file);

describe('Node', () => {
  test('modules in TypeScript, with .wppl programs', () => {
    const folder = project(app, 'register', {
      'package.json': '{"type": "module"}',
      'model.ts': MODEL,
      'rain.wppl': RAIN,
      'main.ts': `${MAIN}import rain, { prior } from './rain.wppl';\nconsole.log(Math.exp(rain.score(true)).toFixed(3), prior);\n`,
    });
    const text = node(folder, '--import', 'waymark/register', 'main.ts');
    expectLearned(text);
    expect(text).toContain('0.794 0.3');
  });

  test('where neither new code nor WebAssembly is allowed, with the same results', () => {
    const folder = project(app, 'strict', {
      'package.json': '{"type": "module"}',
      'model.ts': MODEL,
      'main.ts': MAIN,
      'text.mjs':
        "import { run } from 'waymark/program';\nawait run('1 + 1').catch((error) => console.log(error.message));\n",
    });
    const forbidden = '--disallow-code-generation-from-strings';
    expectLearned(node(folder, forbidden, '--import', 'waymark/register', 'main.ts'));
    expectLearned(node(folder, forbidden, '--noexpose-wasm', '--import', 'waymark/register', 'main.ts'));
    expect(node(folder, forbidden, 'text.mjs')).toContain("need 'unsafe-eval' in the script-src");
  });

  test('errors are at their place in TypeScript', () => {
    const folder = project(app, 'errors', {
      'package.json': '{"type": "module"}',
      'main.ts':
        "import { flip, Infer } from 'waymark';\ninterface Person { name: string }\n\nconst broken = (p?: Person) =>\n  p!.name.length + (flip(0.5) ? 1 : 2);\n" +
        'try {\n  Infer({ method: "forward", samples: 3, model: () => broken() });\n} catch (error) {\n  console.log((error as Error).stack);\n}\n',
    });
    expect(node(folder, '--import', 'waymark/register', 'main.ts')).toMatch(/at broken \(.*main\.ts:5:6\)/);
  });

  test('what is not compiled says how to turn that on', () => {
    const folder = project(app, 'plain', {
      'package.json': '{"type": "module"}',
      'main.js':
        "import { flip, Infer, Optimize, gaussian } from 'waymark';\nconsole.log(Infer({ method: 'enumerate' }, () => flip(0.25)).score(true));\n" +
        'try { Optimize({ model: () => gaussian(0, 1), steps: 1 }); } catch (error) { console.log(error.message); }\n',
    });
    const text = node(folder, 'main.js');
    expect(text).toContain(String(Math.log(0.25)));
    expect(text).toContain('node --import waymark/register');
  });

  test('CommonJS', () => {
    const folder = project(app, 'commonjs', {
      'package.json': '{"type": "commonjs"}',
      'main.js': `const { Infer, flip, withSeed } = require('waymark');
        const { run } = require('waymark/program');
        console.log(withSeed(1, () => Infer({ method: 'enumerate' }, () => flip(0.25))).score(true));
        run('var model = function() { var m = gaussian(0, 1); observe(Gaussian({mu: m, sigma: 1}), 2); return m; }; Optimize({model: model, steps: 300, verbose: false, optMethod: {adam: {stepSize: 0.1}}}); expectation(Infer({method: "forward", guide: true, samples: 1000, model: model}))', { seed: 1 })
          .then(({ value }) => console.log('mean', value));`,
    });
    const text = node(folder, 'main.js');
    expect(text).toContain(String(Math.log(0.25)));
    // 1,000 samples of the guide, whose own error is larger.
    expect(Math.abs(Number(/mean (.*)/.exec(text)?.[1]) - 1)).toBeLessThan(0.3);
  });

  test('CommonJS, with a model that is compiled', async () => {
    const folder = project(app, 'commonjs-model', {
      'package.json': '{"type": "commonjs"}',
      'model.ts': MODEL,
      'main.ts': "import { learned } from './model';\nlearned().then(console.log);\n",
      'main.cjs': "import('./model.ts').then(({ learned }) => learned()).then(console.log);\n",
      'build.cjs':
        "const { build } = require('esbuild');\nimport('waymark/esbuild').then(({ default: waymark }) => build({ entryPoints: ['main.ts'], bundle: true, format: 'cjs', platform: 'node', outfile: 'bundle.cjs', plugins: [waymark()] }));\n",
    });
    expectLearned(node(folder, '--import', 'waymark/register', 'main.ts'));
    expectLearned(node(folder, '--import', 'waymark/register', 'main.cjs'));
    node(folder, 'build.cjs');
    expectLearned(node(folder, 'bundle.cjs'));
  });

  test('CommonJS, with a model that is required', () => {
    const required = `const { Gaussian: Normal, gaussian, Infer,
      observe, Optimize, expectation, withSeed } = require('waymark');
      const { basename } = require('node:path');
      function model() { const m = gaussian(0, 1); observe(Normal({ mu: m, sigma: 1 }), 2); return m; }
      exports.learned = () => withSeed(1, () => {
        Optimize({ model, steps: 300, verbose: false, optMethod: { adam: { stepSize: 0.1 } } });
        return expectation(Infer({ method: 'forward', guide: true, samples: 1000, model }));
      });
      exports.file = basename(__filename);
      exports.broken = () => withSeed(1, () => { null.x; });\n`;
    const folder = project(app, 'commonjs-required', {
      'package.json': '{"type": "commonjs"}',
      'model.js': required,
      'main.js': `const { learned, file, broken } = require('./model');
        console.log(file, 'mean', learned());
        try { broken(); } catch (error) { console.log(error.stack); }\n`,
    });
    const text = node(folder, '--import', 'waymark/register', 'main.js');
    // 1,000 samples of the guide, whose own error is larger.
    expect(Math.abs(Number(/model\.js mean (.*)/.exec(text)?.[1]) - 1)).toBeLessThan(0.3);
    expect(text).toMatch(/model\.js:10:55/);
  });

  test('programs in a thread', () => {
    const folder = project(app, 'thread', {
      'package.json': '{"type": "module"}',
      'models.js': `import { expose } from 'waymark/worker';
        import { Infer, flip } from 'waymark';
        expose({ coin: (p) => Infer({ method: 'enumerate' }, () => flip(p)), fail() { throw new Error('as it should'); } });`,
      'main.js': `import { Worker } from 'node:worker_threads';
        import { connect, ProgramWorker } from 'waymark/worker';
        const programs = new ProgramWorker();
        console.log((await programs.run('1 + 1')).value);
        programs.stop();
        const models = connect(() => new Worker(new URL('./models.js', import.meta.url)));
        console.log((await models.call('coin', [0.25])).probs);
        await models.call('fail', []).catch((error) => console.log(error.message));
        models.stop();`,
    });
    expect(node(folder, 'main.js').split('\n').slice(0, 3)).toEqual(['2', '[ 0.25, 0.75 ]', 'as it should']);
  });

  test('the command', () => {
    const folder = project(app, 'command', { 'package.json': '{}', 'rain.wppl': RAIN });
    expect(node(folder, bin('waymark', 'bin/waymark.js'), 'run', 'rain.wppl')).toContain('0.7941');
  });
});

describe('bundlers', () => {
  /** Runs what was bundled in a page, or on Node where there is no browser. */
  async function run(folder: string, file: string): Promise<string> {
    if (findBrowser() === undefined) {
      console.warn('There is no browser here: what was bundled runs on Node.');
      return node(folder, file);
    }
    const page = `<!doctype html><script>const log = console.log; console.log = (text) => { document.title = String(text); log(text); };</script><script type="module" src="${file}"></script>`;
    writeFileSync(join(folder, 'index.html'), page);
    const browser = await stage(folder);
    try {
      const opened = await browser.open('/index.html');
      await opened.waitForFunction('document.title !== ""', null, { timeout: 60_000 });
      return await opened.title();
    } finally {
      await browser.end();
    }
  }

  test('Vite', async () => {
    const folder = project(app, 'vite', {
      'package.json': '{"type": "module"}',
      'model.ts': MODEL,
      'main.ts': MAIN,
      'vite.config.ts':
        "import waymark from 'waymark/vite';\nexport default { plugins: [waymark()], build: { target: 'es2022', lib: { entry: 'main.ts', formats: ['es'], fileName: () => 'main.js' } }, logLevel: 'warn' };\n",
    });
    node(folder, bin('vite', 'bin/vite.js'), 'build');
    expectLearned(await run(join(folder, 'dist'), 'main.js'), 'a page');
  });

  test('esbuild', async () => {
    const folder = project(app, 'esbuild', {
      'package.json': '{"type": "module"}',
      'model.ts': MODEL,
      'main.ts': MAIN,
      'build.mjs':
        "import { build } from 'esbuild';\nimport waymark from 'waymark/esbuild';\nawait build({ entryPoints: ['main.ts'], bundle: true, format: 'esm', minify: true, outdir: 'dist', plugins: [waymark()] });\n",
    });
    node(folder, 'build.mjs');
    expectLearned(await run(join(folder, 'dist'), 'main.js'), 'a page');
  });

  test('esbuild for Node', () => {
    const folder = project(app, 'esbuild-node', {
      'package.json': '{"type": "module"}',
      'data.csv': 'x\n3\n4\n',
      'main.ts': "import { loadData } from 'waymark';\nconsole.log(loadData('data.csv'));\n",
      'build.mjs':
        "import { build } from 'esbuild';\nawait build({ entryPoints: ['main.ts'], bundle: true, format: 'esm', platform: 'node', outdir: 'dist' });\n",
    });
    node(folder, 'build.mjs');
    expect(node(folder, 'dist/main.js')).toContain('[ 3, 4 ]');
  });

  test('Rolldown', () => {
    const folder = project(app, 'rolldown', {
      'package.json': '{"type": "module"}',
      'model.ts': MODEL,
      'main.ts': MAIN,
      'rolldown.config.mjs':
        "import waymark from 'waymark/rolldown';\nexport default { input: 'main.ts', platform: 'browser', plugins: [waymark()], output: { dir: 'dist', format: 'es' } };\n",
    });
    node(folder, bin('rolldown', 'bin/cli.mjs'), '-c', 'rolldown.config.mjs');
    expectLearned(node(folder, 'dist/main.js'));
  });

  test('pages without a bundler', async () => {
    const folder = project(app, 'page', {
      'main.js': `import { Infer, flip } from './waymark/index.js';
        import { run } from './waymark/program.js';
        import { ProgramWorker } from './waymark/worker.js';
        const { value } = await run('Infer({method: "enumerate", model: function() { return flip(0.25); }}).score(true)');
        const worker = new ProgramWorker();
        const { text } = await worker.run('Optimize({model: function() { return gaussian(0, 1); }, steps: 2, verbose: false}); 5');
        console.log([Infer({ method: 'enumerate' }, () => flip(0.25)).score(true) === value, text].join());`,
    });
    if (findBrowser() === undefined) return;
    printed(folder, 'cp', '-r', join(app.folder, 'node_modules/waymark/dist/web'), 'waymark');
    expect(await run(folder, 'main.js')).toBe('true,5');
  });
});

test('Vitest', () => {
  const folder = project(app, 'vitest', {
    'package.json': '{"type": "module"}',
    'model.ts': MODEL,
    'model.test.ts':
      "import { expect, test } from 'vitest';\nimport { learned } from './model.ts';\ntest('learns', async () => { const text = await learned(); console.log(text); expect(text).toContain('guide'); });\n",
    'vitest.config.ts': "import waymark from 'waymark/vite';\nexport default { plugins: [waymark()] };\n",
  });
  expectLearned(node(folder, bin('vitest', 'vitest.mjs'), 'run', '--no-color'));
});

test('types, in pages and on Node, to the last option', () => {
  const folder = project(app, 'types', {
    'package.json': '{"type": "module"}',
    'app.ts': `/// <reference types="waymark/wppl" />
      import { Infer, flip, withRun, withSeed } from 'waymark';
      import { ProgramError, run, type RunOptions } from 'waymark/program';
      import { connect, expose, ProgramWorker } from 'waymark/worker';
      import waymark from 'waymark/vite';
      import rain, { prior } from './rain.wppl';
      const posterior = withSeed(1, () => Infer({ method: 'enumerate' }, () => flip(0.3)));
      const score: number = posterior.score(true);
      // @ts-expect-error a truth value is drawn
      posterior.score('x');
      const options: RunOptions = { seed: 1, signal: AbortSignal.abort(), output: (value, text) => console.log(value, text.length) };
      const { value, outputs, params } = await run('1', options);
      // @ts-expect-error there is no such option
      await run('1', { sed: 1 });
      withRun({ progress: (label) => ({ update: (done, total, note) => console.log(label, done + 1, total, note), finish() {} }) }, () => 1);
      const models = { coin: (p: number) => Infer({ method: 'enumerate' }, () => flip(p)), size: (xs: number[]) => ({ n: xs.length }) };
      expose(models);
      const client = connect<typeof models>(() => new Worker('models.js', { type: 'module' }));
      const size: { n: number } = await client.call('size', [[1, 2]], { seed: 1 });
      // @ts-expect-error there is no such function
      await client.call('nope', []);
      // @ts-expect-error a number is needed
      await client.call('coin', ['x']);
      const { text } = await new ProgramWorker().run('1', { onOutput: (output) => console.log(output.text.length) });
      export default [waymark(), score, value, outputs, params, size, text, ProgramError, rain, prior];`,
    'tsconfig.json':
      '{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true, "lib": ["es2023", "dom"], "types": [], "skipLibCheck": true}}',
  });
  expect(node(folder, bin('typescript', 'bin/tsc'), '-p', '.')).toBe('');
});

test('types ask for those of no other package', () => {
  const places = [
    'program',
    'worker',
    'webppl',
    'algorithms',
    'gradients',
    'columns',
    'rollup',
    'webpack',
    'rspack',
    'bun',
  ];
  const compilerOptions = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, noEmit: true, lib: ['es2023', 'dom'], types: [] }; // biome-ignore format: one thought
  const folder = project(app, 'strict', {
    'package.json': '{"type": "module"}',
    'use.ts': `${places.map((place, i) => `import * as m${i} from 'waymark/${place}';`).join('\n')}
      import * as all from 'waymark';
      export default [all, ${places.map((_, i) => `m${i}`)}];`,
    'node.json': JSON.stringify({ compilerOptions: { ...compilerOptions, module: 'nodenext' }, include: ['use.ts'] }),
    'bundler.json': JSON.stringify({
      compilerOptions: { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
      include: ['use.ts'],
    }),
  });
  for (const settings of ['node.json', 'bundler.json']) {
    expect(node(folder, bin('typescript', 'bin/tsc'), '-p', settings)).toBe('');
  }
});

describe('others, where they can be had', () => {
  const bundled = { 'package.json': '{"type": "module"}', 'model.ts': MODEL, 'main.ts': MAIN };

  test('tsx', ({ skip }) => {
    if (!install(app, 'tsx')) return skip('tsx cannot be had here');
    const folder = project(app, 'tsx', bundled);
    const tsx = pathToFileURL(join(app.folder, 'others/node_modules/tsx/dist/loader.mjs')).href;
    expectLearned(node(folder, '--import', tsx, '--import', 'waymark/register', 'main.ts'));
    expectLearned(node(folder, '--import', 'waymark/register', '--import', tsx, 'main.ts'));
    // In a project of CommonJS tsx loads modules by require.
    const old = project(app, 'tsx-commonjs', {
      'package.json': '{"type": "commonjs"}',
      'model.ts': MODEL,
      'main.ts': "import { learned } from './model';\nlearned().then(console.log);\n",
    });
    expectLearned(node(old, '--import', tsx, '--import', 'waymark/register', 'main.ts'));
    expectLearned(node(old, '--import', 'waymark/register', '--import', tsx, 'main.ts'));
  });

  test('webpack', ({ skip }) => {
    if (!install(app, 'webpack', 'esbuild-loader')) return skip('webpack cannot be had here');
    const folder = project(app, 'webpack', {
      ...bundled,
      'build.mjs': `import { createRequire } from 'node:module';
        import waymark from 'waymark/webpack';
        const require = createRequire(${JSON.stringify(join(app.folder, 'others/x.js'))});
        const loader = require.resolve('esbuild-loader');
        require('webpack')({ mode: 'production', optimization: { minimize: false }, target: 'web', entry: './main.ts', experiments: { outputModule: true, topLevelAwait: true },
          output: { path: process.cwd() + '/dist', filename: 'main.mjs', module: true, publicPath: '' }, plugins: [waymark()],
          module: { rules: [{ test: /\\.ts$/, loader, options: { target: 'es2022' } }] } },
          (error, stats) => { if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); } });`,
    });
    node(folder, 'build.mjs');
    expectLearned(node(folder, 'dist/main.mjs'));
  });

  test('Rspack', ({ skip }) => {
    if (!install(app, '@rspack/core')) return skip('Rspack cannot be had here');
    const folder = project(app, 'rspack', {
      ...bundled,
      'build.mjs': `import { createRequire } from 'node:module';
        import waymark from 'waymark/rspack';
        const { rspack } = createRequire(${JSON.stringify(join(app.folder, 'others/x.js'))})('@rspack/core');
        const loader = 'builtin:swc-loader';
        rspack({ mode: 'production', optimization: { minimize: false }, target: 'web', entry: './main.ts', experiments: { outputModule: true },
          output: { path: process.cwd() + '/dist', filename: 'main.mjs', module: true, publicPath: '' }, plugins: [waymark()],
          module: { rules: [{ test: /\\.ts$/, loader, options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } } }] } },
          (error, stats) => { if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); } });`,
    });
    node(folder, 'build.mjs');
    expectLearned(node(folder, 'dist/main.mjs'));
  });

  test('Rollup', ({ skip }) => {
    if (!install(app, 'rollup')) return skip('Rollup cannot be had here');
    const folder = project(app, 'rollup', {
      ...bundled,
      'model.js': MODEL.replace(/enum Width.*/, 'const Width = { Narrow: 1, Wide: 2 };').replace(/: (number\[\]|number|string\[\]|string|this|Promise<string>)(?=[ ,)=;])/g, ''), // biome-ignore format: one line
      'main.js': MAIN.replace('.ts', '.js'),
      'build.mjs': `import { createRequire } from 'node:module';
        import waymark from 'waymark/rollup';
        const { rollup } = createRequire(${JSON.stringify(join(app.folder, 'others/x.js'))})('rollup');
        const bundle = await rollup({ input: 'main.js', external: /^waymark/, plugins: [waymark()] });
        await bundle.write({ dir: 'dist', format: 'es' });`,
    });
    node(folder, 'build.mjs');
    expectLearned(node(folder, 'dist/main.js'));
  });

  for (const name of ['deno', 'bun']) {
    test(name, ({ skip }) => {
      if (!install(app, name)) return skip(`${name} cannot be had here`);
      const folder = project(app, name, {
        'package.json': '{"type": "module"}',
        'main.js': `import { Infer, flip } from 'waymark';
          import { run } from 'waymark/program';
          console.log(Infer({ method: 'enumerate' }, () => flip(0.25)).score(true));
          const code = 'var model = function() { var m = gaussian(0, 1); observe(Gaussian({mu: m, sigma: 1}), 2); return m; }; Optimize({model: model, steps: 300, verbose: false, optMethod: {adam: {stepSize: 0.1}}}); expectation(Infer({method: "forward", guide: true, samples: 1000, model: model}))';
          console.log('mean', (await run(code, { seed: 1 })).value);`,
        'model.ts': MODEL,
        'learn.ts': MAIN,
        'preload.ts': "import { plugin } from 'bun';\nimport waymark from 'waymark/bun';\nplugin(waymark());\n",
        'build.mjs':
          "import { build } from 'esbuild';\nimport waymark from 'waymark/esbuild';\nawait build({ entryPoints: ['learn.ts'], bundle: true, format: 'esm', platform: 'node', outfile: 'bundle.mjs', plugins: [waymark()] });\n",
      });
      const flags = name === 'deno' ? ['-A', '--node-modules-dir=manual'] : [];
      const program = join(app.folder, 'others/node_modules/.bin', name);
      const text = printed(folder, program, 'run', ...flags, 'main.js');
      expect(text).toContain(String(Math.log(0.25)));
      expect(Math.abs(Number(/mean (.*)/.exec(text)?.[1]) - 1)).toBeLessThan(0.3);
      node(folder, 'build.mjs');
      expectLearned(printed(folder, program, 'run', ...flags, 'bundle.mjs'), 'elsewhere');
      if (name === 'bun') expectLearned(printed(folder, program, '--preload', './preload.ts', 'learn.ts'), 'elsewhere');
    });
  }
});
