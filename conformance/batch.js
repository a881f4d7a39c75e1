/** Runs programs with `waymark batch`, all in one process. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../bin/waymark.js', import.meta.url));

/** Yields [program, result] in order. A program is {code, seed} with whatever else the caller keeps there. */
export async function* runBatch(programs, timeout) {
  const child = spawn(process.execPath, [command, 'batch', '--quiet', '--timeout', String(timeout)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.end(programs.map(({ code, seed }, id) => `${JSON.stringify({ id, code, seed })}\n`).join(''));
  for (const program of programs) {
    const { value, done } = await lines.next();
    if (done) throw new Error('waymark batch ended before it had run all programs.');
    yield [program, JSON.parse(value)];
  }
}
