/**
 * Runs the programs of this folder by NUTS and holds their posteriors against reference draws.
 *
 *     npm run posteriors [-- --data DIR] [--seed N] [NAME …]
 *
 * DIR holds the reference files, which are no part of the repository (posteriordb, https://github.com/stan-dev/posteriordb).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compare } from './compare.js';
import { posteriors } from './posteriors.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values: options, positionals } = parseArgs({
  options: { data: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const folder = resolve(options.data ?? here('../../../shared/data/posteriordb'));
if (!existsSync(folder)) {
  console.error(`There is no folder ${folder}. Say where the reference files are: npm run posteriors -- --data DIR`);
  process.exit(1);
}
const unknown = positionals.filter((name) => !posteriors.some((posterior) => posterior.name === name));
if (unknown.length > 0) {
  const names = posteriors.map((posterior) => posterior.name).join(', ');
  console.error(`There is no posterior ${unknown.join(', ')}; there are ${names}.`);
  process.exit(1);
}

const COLUMNS = ['', 'mean', 'reference', 'errors', 'sd ratio', 'R-hat', 'bulk ESS', 'tail ESS', ''];
const row = (cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(10))).join(' ');

const outputs = mkdtempSync(join(tmpdir(), 'posteriors-'));
let failures = 0;
for (const { name, file } of posteriors) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const data = join(folder, file);
  const out = join(outputs, `${name}.json`);
  const start = performance.now();
  const command = ['run', here(`${name}.wppl`), '--seed', options.seed, '--quiet', '--json', out, '--', '--data', data];
  const { status, stderr } = spawnSync(process.execPath, [here('../../bin/waymark.js'), ...command], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) {
    console.log(`${name}: failed\n${stderr}`);
    failures++;
    continue;
  }
  const run = JSON.parse(readFileSync(out, 'utf8')).value;
  const rows = compare(run, JSON.parse(readFileSync(data, 'utf8')).reference);
  const passes = rows.every((one) => one.passes);
  if (!passes) failures++;
  console.log(
    `${name}: ${run.draws.length} draws, ${run.diagnostics.divergences} divergences, ${seconds.toFixed(1)} s`,
  );
  console.log(row(COLUMNS));
  for (const one of rows) {
    const { mean, reference, errors, spread, rhat, bulkEss, tailEss } = one;
    const numbers = [mean.toPrecision(5), reference.toPrecision(5), errors.toFixed(2), spread.toFixed(3)];
    const mixing = [rhat.toFixed(3), bulkEss.toFixed(0), tailEss.toFixed(0)];
    console.log(row([one.name, ...numbers, ...mixing, one.passes ? 'pass' : 'FAIL']));
  }
  console.log('');
}
rmSync(outputs, { recursive: true });
console.log(failures === 0 ? 'All posteriors agree with their references.' : `${failures} posteriors do not agree.`);
process.exitCode = failures === 0 ? 0 : 1;
