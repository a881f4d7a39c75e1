/** One run of a program on either system, in a process of its own: milliseconds. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder as webpplFolder } from '../conformance/webppl.js';

const waymarkCommand = fileURLToPath(new URL('../bin/waymark.js', import.meta.url));
const webpplRunner = fileURLToPath(new URL('webppl-run.cjs', import.meta.url));

/**
 * CPU time of the run alone, compiling excluded. On one thread, as WebPPL runs: others save time on the clock, and cost
 * CPU time.
 */
const cpu = {
  waymark: (program, seed, device) => cpuTime(program, seed, device),
  straight: (program, seed, device) => cpuTime(program, seed, device),
  sequential: (program, seed, device) => cpuTime(program, seed, device, '--sequential'),
  webppl: (program, seed) => phases.webppl(program, seed).run,
};

/** CPU time of the run, and of the whole process, from loading the system to the end of the run. */
export const phases = {
  webppl(program, seed) {
    const { stdout } = run([webpplRunner, webpplFolder, program, seed]);
    const { cpu, whole } = JSON.parse(stdout.trim().split('\n').at(-1));
    return { run: cpu, whole };
  },
  waymark: (program, seed) => timedPhases(program, seed),
};

const cpuTime = (...given) => timedPhases(...given).run;

function timedPhases(program, seed, device, ...others) {
  const chosen = device === undefined ? [] : ['--device', device];
  const options = ['--seed', seed, '--timing', '--quiet', '--threads', 1, ...chosen, ...others];
  const { stderr } = run([waymarkCommand, 'run', program, ...options]);
  const of = (phase) => {
    const found = new RegExp(`^${phase}: .*?([\\d.]+) ms of CPU$`, 'm').exec(stderr);
    if (found === null) throw new Error(`waymark run --timing printed no CPU time of ${phase} for ${program}.`);
    return Number(found[1]);
  };
  // WebPPL's is measured before it prints, too.
  return { run: of('run'), whole: of('the whole process') - of('print') };
}

/** Time on the clock from starting the command to its end. */
const wall = {
  waymark: (program, seed) => timed([waymarkCommand, 'run', program, '--seed', seed]),
  webppl: (program, seed) => timed([join(webpplFolder, 'webppl'), program, '--random-seed', seed]),
};

/** By the name that a benchmark asks for. */
export const measures = { cpu, wall };

function timed(args) {
  const start = performance.now();
  run(args);
  return performance.now() - start;
}

/** Neither system goes to the network, but where this names certificates every process of Node reads them first: up to 27 ms. */
const { NODE_EXTRA_CA_CERTS: certificates, ...env } = process.env;

function run(args) {
  const result = spawnSync(process.execPath, args.map(String), { encoding: 'utf8', maxBuffer: 2 ** 28, env });
  if (result.status !== 0) throw new Error(`${args.join(' ')} failed:\n${result.stderr}${result.stdout}`);
  return result;
}
