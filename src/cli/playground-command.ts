import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { flag, number, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { STDERR, STDOUT, write } from './streams.ts';

const USUAL_PORT = 4280;

/** Where the build puts it, beside this file. */
const FOLDER = fileURLToPath(new URL('./playground', import.meta.url));

const port = number(
  'port',
  'a whole number from 0 to 65535',
  (n) => Number.isInteger(n) && n >= 0 && n <= 65_535,
  `the port to listen on; ${USUAL_PORT} if left out, or another if that is taken`,
);

async function listen(wanted: number | undefined): Promise<AddressInfo> {
  // Loaded here: few commands need a server.
  const { serveFolder } = await import('./static-server.ts');
  try {
    return (await serveFolder(FOLDER, wanted ?? USUAL_PORT)).address() as AddressInfo;
  } catch (error) {
    if (wanted === undefined) return (await serveFolder(FOLDER, 0)).address() as AddressInfo;
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      { EADDRINUSE: 'another program listens there', EACCES: 'there is no permission to' }[code ?? ''] ?? message;
    throw new UsageError(`Port ${wanted} cannot be had: ${why}. Give another --port, or none.`);
  }
}

export const playgroundCommand = command({
  summary: 'open a page on this machine to write and run programs in',
  usage: '[--port N]',
  details: [
    'Serves the playground on this machine alone, until it is ended with Ctrl-C. No network is needed: programs run in the',
    'browser, in a sandbox.',
  ],
  options: { port, help: flag('show this help') },

  async run({ settings, operands }) {
    if (operands.length > 0) throw new UsageError('waymark playground takes no arguments but --port.');
    if (!existsSync(`${FOLDER}/index.html`)) {
      write(STDERR, 'The playground has not been built: npm run playground builds it.\n');
      return 1;
    }
    const address = await listen(settings.port);
    write(STDOUT, `The playground is at http://localhost:${address.port}/ (Ctrl-C ends it)\n`);
    return new Promise<number>(() => {});
  },
});
