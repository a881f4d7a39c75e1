/** Starting the engine: loading its modules, taking memory, making the vector functions. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { report, timeBar } from './measure.ts';

const ROUNDS = 15;

/** Beside this file in the build. */
const engine = fileURLToPath(new URL('engine.js', import.meta.url));
const program = `const begin = performance.now();
const { start } = await import(${JSON.stringify(engine)});
start();
console.log(performance.now() - begin);`;

export function startUp(): void {
  let best = Infinity;
  for (let i = 0; i < ROUNDS; i++) {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    best = Math.min(best, Number(stdout));
  }
  timeBar('starting the engine', report('starting the engine in a new process', best), 30);
}
