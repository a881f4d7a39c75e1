/**
 * `npm run bench:serve [-- --seconds N] [--connections N]`: how many posteriors `waymark serve` gives in a second, and how long the
 * slowest of a hundred takes: by a trained network, and by NUTS for each request. Prints a line of JSON for each; `cpu` are milliseconds of the
 * server's processor time for a request, which tell more than the clock where the machine has other things to do.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, connections: { type: 'string' } } });
const seconds = Number(values.seconds ?? 10);
const connections = Number(values.connections ?? 16);
const command = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waymark-serve-'));

/** Data that the model could have made. */
function points() {
  const [slope, intercept] = [2 * Math.random() - 1, 2 * Math.random() - 1];
  return Array.from({ length: 10 }, (_, i) => {
    const x = (i - 4.5) / 3;
    return { x, y: slope * x + intercept + 2 * (Math.random() - 0.5) };
  });
}

async function asked(url, samples) {
  const began = performance.now();
  const body = JSON.stringify({ data: points(), samples });
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const answer = await response.json();
  if (response.status !== 200) throw new Error(answer.error.message);
  return { time: performance.now() - began, ess: answer.ess ?? answer.summary.slope.ess };
}

/** Seconds of processor time that the server has taken. */
async function processorTime(url) {
  const text = await (await fetch(url)).text();
  return Number(/^process_cpu_seconds_total (.*)$/m.exec(text)[1]);
}

/** Each connection asks again as soon as it is answered. */
async function load(name, samples, ...args) {
  const server = spawn(process.execPath, [command, 'serve', ...args, '--port', '0', '--seed', '1', '--quiet'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve, reject) => {
    server.stdout.once('data', (bytes) => resolve(String(bytes)));
    server.once('exit', (code) => reject(new Error(`waymark serve ended with ${code}.`)));
  });
  const base = /http:[^ ]*/.exec(line)[0];
  const url = `${base}posterior`;
  for (let i = 0; i < 10; i++) await asked(url, samples);
  const found = [];
  const before = await processorTime(`${base}metrics`);
  const began = performance.now();
  const end = began + 1000 * seconds;
  const connection = async () => {
    while (performance.now() < end) found.push(await asked(url, samples));
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const took = (performance.now() - began) / 1000;
  const cpu = (1000 * ((await processorTime(`${base}metrics`)) - before)) / found.length;
  server.kill('SIGTERM');
  const times = found.map(({ time }) => time).sort((a, b) => a - b);
  const at = (p) => Math.round(10 * times[Math.min(times.length - 1, Math.floor(p * times.length))]) / 10;
  const ess = found.reduce((sum, one) => sum + one.ess, 0) / found.length;
  const row = {
    name,
    connections,
    samples,
    perSecond: Math.round((10 * found.length) / took) / 10,
    p50: at(0.5),
    p99: at(0.99),
    cpu: Math.round(10 * cpu) / 10,
    ess: Math.round(ess),
  };
  console.log(JSON.stringify(row));
}

try {
  cpSync(fileURLToPath(new URL('.', import.meta.url)), folder, { recursive: true });
  const { status } = spawnSync(process.execPath, [command, 'run', 'train.ts', '--seed', '1', '--quiet'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The network could not be trained.');
  await load('serve-network', 500, 'model.ts', '--net', 'line.net');
  await load('serve-nuts', 500, 'nuts.ts');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
