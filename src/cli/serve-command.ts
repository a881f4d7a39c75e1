import { resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import { number, oneOf, text, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { checkProgramFile } from './files.ts';
import type { ServeJob } from './jobs.ts';
import type { Ready, ServeMessage } from './serve/protocol.ts';
import { commonOptions, engineOf, engineOptions, randomSeed } from './settings.ts';
import { stopOnSignal } from './signals.ts';
import { STDERR, STDOUT, write } from './streams.ts';
import { ending, startThread } from './thread.ts';

const USUAL = {
  port: 4290,
  host: '127.0.0.1',
  samples: 1000,
  queue: 256,
  batch: 32,
  kilobytes: 1024,
  maxSamples: 100_000,
};

const whole = (name: string, least: number, most: number, summary: string) =>
  number(
    name,
    `a whole number from ${least} to ${most}`,
    (n) => Number.isInteger(n) && n >= least && n <= most,
    summary,
  );

const method = oneOf('method', ['importance', 'forward', 'SMC'], 'how guides are used; importance if left out');

export const serveCommand = command({
  summary: 'answer requests for posteriors, by HTTP',
  usage: 'FILE [--params FILE | --net FILE] [--port N] [options] [-- program arguments]',
  details: [
    'Serves the model that a program gives as its value (its default export, or last expression), to this machine alone unless --host',
    'says otherwise: POST {"data": …} to /posterior, and get what the model returns, given the data. The value may be a function of a datum,',
    'a model with mapData (the posterior is that of one datum), {model, example}, or a network of Amortize.',
    'There are /posteriors for several data, /schema, /health and /metrics. Requests that come at once are computed together; when too',
    'many wait, others are answered with 429. SIGTERM and Ctrl-C end it when what waits has been answered. See docs/serving.md.',
  ],
  options: {
    params: text('FILE', 'the parameters of the guides, as saveParams, --params or Optimize left them'),
    net: text('FILE', 'the network that Amortize has trained for the model, as save left it'),
    port: whole('port', 0, 65_535, `the port to listen on; ${USUAL.port} if left out, 0 for any that is free`),
    host: text('ADDRESS', `the address to listen on; ${USUAL.host} if left out: others than this machine cannot ask`),
    samples: whole(
      'samples',
      1,
      10_000_000,
      `samples of a posterior, where a request does not say; ${USUAL.samples} if left out`,
    ),
    method,
    'max-samples': whole(
      'max-samples',
      1,
      10_000_000,
      `samples that a request may ask for; ${USUAL.maxSamples} if left out`,
    ),
    'max-kilobytes': whole('max-kilobytes', 1, 1_000_000, `size of a request; ${USUAL.kilobytes} if left out`),
    queue: whole('queue', 1, 1_000_000, `data that may wait; ${USUAL.queue} if left out`),
    batch: whole('batch', 1, 10_000, `data that are computed together; ${USUAL.batch} if left out`),
    seed: number('seed', SEED_KIND, isSeed, 'seed of the random numbers'),
    ...engineOptions,
    ...commonOptions,
  },

  async run({ settings, operands, rest }) {
    if (operands.length !== 1)
      throw new UsageError('waymark serve needs one program: waymark serve FILE --params FILE.');
    if (settings.params !== undefined && settings.net !== undefined) {
      throw new UsageError('--params and --net do not go together: a network holds its parameters.');
    }
    const [file] = operands;
    checkProgramFile(file);
    const { samples = USUAL.samples, 'max-samples': most = USUAL.maxSamples, batch = USUAL.batch } = settings;
    const job: ServeJob = {
      kind: 'serve',
      file,
      params: settings.params,
      net: settings.net === undefined ? undefined : resolve(settings.net),
      samples: Math.min(samples, most),
      method: settings.method ?? 'importance',
      seed: settings.seed ?? randomSeed(),
      args: rest,
      engine: engineOf(settings),
      quiet: settings.quiet ?? false,
    };
    const thread = startThread(job);
    const ended = ending(thread);
    const first = await Promise.race([heard(thread), ended]);
    if (!('ready' in first)) {
      const said =
        'failed' in first
          ? first.failed
          : 'fault' in first
            ? first.fault
            : 'The program ended before it could be served.';
      write(STDERR, `${said}\n`);
      await thread.terminate();
      return 1;
    }
    const limits = { bytes: 1024 * (settings['max-kilobytes'] ?? USUAL.kilobytes), samples: most };
    const { host = USUAL.host, port = USUAL.port, queue = USUAL.queue } = settings;
    return serving(thread, ended, first.ready, { host, port, limits, waiting: { queue, batch } }, file);
  },
});

/** The next message of the thread. */
const heard = (thread: Worker): Promise<ServeMessage> => new Promise((resolve) => thread.once('message', resolve));

interface Settings {
  readonly host: string;
  readonly port: number;
  readonly limits: { readonly bytes: number; readonly samples: number };
  readonly waiting: { readonly queue: number; readonly batch: number };
}

/** Serves until it is told to stop; resolves to the exit code. */
async function serving(
  thread: Worker,
  ended: ReturnType<typeof ending>,
  about: Ready['ready'],
  { host, port, limits, waiting }: Settings,
  file: string,
): Promise<number> {
  // Loaded here: few commands need a server.
  const { BatchQueue } = await import('./serve/batch-queue.ts');
  const { Metrics } = await import('./serve/metrics.ts');
  const { startServer } = await import('./serve/http-server.ts');
  const metrics = new Metrics();
  const answers: ConstructorParameters<typeof BatchQueue>[0] = async (requests) => {
    const answer = heard(thread);
    thread.postMessage(requests);
    const message = await Promise.race([answer, ended]);
    if ('answers' in message) return message.answers;
    throw new Error('fault' in message ? message.fault : 'The program has ended.');
  };
  const queue = new BatchQueue(answers, waiting, metrics);
  const server = await startServer(queue, metrics, { host, port, limits, about }).catch(
    (error: NodeJS.ErrnoException) => {
      const known: Record<string, string> = {
        EADDRINUSE: 'another program listens there',
        EACCES: 'there is no permission to',
      };
      throw new UsageError(`Port ${port} of ${host} cannot be had: ${known[error.code ?? ''] ?? error.message}.`);
    },
  );
  const shown = server.address.family === 'IPv6' ? `[${server.address.address}]` : server.address.address;
  write(STDOUT, `${file} is served at http://${shown}:${server.address.port}/ (Ctrl-C ends it)\n`);
  const stopped = new Promise<number>((done) => stopOnSignal(() => void server.stop().then(() => done(0))));
  const end = await Promise.race([stopped, ended]);
  if (typeof end === 'number') {
    await thread.terminate();
    return end;
  }
  // A thread that ends by itself takes the server with it: a supervisor of the process starts it again.
  write(STDERR, `${'fault' in end ? end.fault : 'The program has ended.'}\n`);
  return 1;
}
