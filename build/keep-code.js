/** Runs programs that do what programs usually do, so that the code compiled for them is kept: see `src/cli/v8/kept-code.ts`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

// Each goes on from the code that was kept before it.
for (const kind of ['program', 'chain', 'samples', 'particles', 'reasoning']) {
  const program = `usual-${kind}.wppl`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [path('../bin/waymark.js'), 'run', path(program), '--seed', '1'],
    { encoding: 'utf8', env: { ...process.env, WAYMARK_KEEP_CODE: 'yes' } },
  );
  if (status !== 0) {
    console.error(`build/${program} failed, so that no compiled code is kept:\n${stderr}`);
    process.exitCode = 1;
    break;
  }
}
