/** Runs a program that does what programs usually do, so that the code compiled for it is kept: see `src/cli/kept-code.ts`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

const { status, stderr } = spawnSync(
  process.execPath,
  [path('../bin/waymark.js'), 'run', path('usual-program.wppl'), '--seed', '1'],
  { encoding: 'utf8', env: { ...process.env, WAYMARK_KEEP_CODE: 'yes' } },
);
if (status !== 0) {
  console.error(`build/usual-program.wppl failed, so that no compiled code is kept:\n${stderr}`);
  process.exitCode = 1;
}
