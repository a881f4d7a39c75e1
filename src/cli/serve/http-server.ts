/** The posteriors of a program, asked for by HTTP: JSON in, JSON out. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BAD_KHAT } from '../../inference/diagnostics/advice.ts';
import type { JsonValue } from '../../io/json-value.ts';
import { isSeed, SEED_KIND } from '../../runtime/seed.ts';
import type { BatchQueue } from './batch-queue.ts';
import type { Metrics } from './metrics.ts';
import type { InferAnswer, InferRequest, Ready } from './protocol.ts';

interface ServerLimits {
  /** Bytes of a request. */
  readonly bytes: number;
  /** Samples that a request may ask for. */
  readonly samples: number;
}

interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly limits: ServerLimits;
  readonly about: Ready['ready'];
}

export interface Serving {
  readonly address: AddressInfo;
  /** Takes no more requests, answers those that there are, and resolves. */
  stop(): Promise<void>;
}

/** A request that is answered with an error. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Milliseconds in which a request has to come. */
const PATIENCE_MS = 30_000;

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** Requests by their path, with the method that each takes. */
type Routes = Readonly<
  Record<string, readonly ['GET' | 'POST', (request: IncomingMessage, response: ServerResponse) => Promise<void>]>
>;

class Responder {
  stopping = false;

  constructor(
    private readonly queue: BatchQueue,
    private readonly metrics: Metrics,
    private readonly settings: ServerSettings,
  ) {}

  private readonly routes: Routes = {
    '/': ['GET', async (_, response) => this.send(response, 200, this.overview())],
    '/schema': ['GET', async (_, response) => this.send(response, 200, this.schema())],
    '/health': [
      'GET',
      async (_, response) =>
        this.send(response, this.stopping ? 503 : 200, {
          status: this.stopping ? 'stopping' : 'ok',
          queue: this.queue.length,
        }),
    ],
    '/metrics': [
      'GET',
      async (_, response) => {
        const text = this.metrics.text(this.queue.length, this.queue.inFlight);
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
      },
    ],
    '/posterior': ['POST', (request, response) => this.posterior(request, response, false)],
    '/posteriors': ['POST', (request, response) => this.posterior(request, response, true)],
  };

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    response.once('close', () => this.metrics.answered(response.statusCode, (performance.now() - began) / 1000));
    try {
      this.checkHost(request);
      const path = (request.url ?? '/').split('?')[0];
      const route = Object.hasOwn(this.routes, path) ? this.routes[path] : undefined;
      if (route === undefined)
        throw new Refusal(404, `There is nothing at ${path}. There are ${Object.keys(this.routes).join(', ')}.`);
      const [method, action] = route;
      if (request.method !== method) throw new Refusal(405, `${path} takes ${method}.`, { Allow: method });
      await action(request, response);
    } catch (error) {
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, `The server failed: ${(error as Error).message}`);
      // What was not read of a request is not waited for.
      const close: Record<string, string> = request.complete ? {} : { Connection: 'close' };
      this.send(response, refusal.status, { error: { message: refusal.message } }, { ...refusal.headers, ...close });
    }
  }

  /** Refuses host names other than this machine's: a page of another site might reach the server by a name that leads here. */
  private checkHost({ headers }: IncomingMessage): void {
    if (!LOOPBACK.includes(this.settings.host)) return;
    const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    if (!LOOPBACK.includes(name))
      throw new Refusal(403, `This server is for this machine alone, and was asked for as '${name}'.`);
  }

  private send(
    response: ServerResponse,
    status: number,
    body: JsonValue,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.sendText(response, status, JSON.stringify(body), headers);
  }

  private sendText(
    response: ServerResponse,
    status: number,
    json: string,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    if (response.headersSent || response.destroyed) return;
    const text = `${json}\n`;
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...headers,
    });
    response.end(text);
  }

  private overview(): JsonValue {
    return {
      about: this.settings.about.about,
      paths: Object.fromEntries(Object.entries(this.routes).map(([path, [method]]) => [path, method])),
      request: { data: this.settings.about.example, samples: 1000, format: 'summary' },
    };
  }

  private schema(): JsonValue {
    const { schema, example } = this.settings.about;
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'data',
      ...(schema as object),
      examples: [example],
    };
  }

  private async posterior(request: IncomingMessage, response: ServerResponse, several: boolean): Promise<void> {
    if (this.stopping) throw new Refusal(503, 'The server is about to end.', { 'Retry-After': '5' });
    const type = (request.headers['content-type'] ?? '').split(';')[0].trim();
    if (type !== 'application/json')
      throw new Refusal(415, `Send JSON, with the header Content-Type: application/json; got '${type}'.`);
    const requests = this.requestsIn(await this.body(request), several);
    if (!this.queue.hasRoomFor(requests.length)) {
      throw new Refusal(429, `${this.queue.length} requests wait already. Try again later.`, { 'Retry-After': '1' });
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answers = await this.queue.ask(requests, gone.signal);
    for (const answer of answers) if ('khat' in answer && (answer.khat ?? 0) > BAD_KHAT) this.metrics.doubted();
    if (several) this.sendText(response, 200, `{"posteriors":[${answers.map(answerText).join()}]}`);
    else this.sendText(response, statusOf(answers[0]), answerText(answers[0]));
  }

  private async body(request: IncomingMessage): Promise<JsonValue> {
    const { bytes } = this.settings.limits;
    const tooLong = (): Refusal => new Refusal(413, `A request may have ${bytes} bytes, and this one has more.`);
    if (Number(request.headers['content-length'] ?? 0) > bytes) throw tooLong();
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > bytes) throw tooLong();
      parts.push(part);
    }
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8')) as JsonValue;
    } catch (error) {
      throw new Refusal(400, `The request is not JSON: ${(error as Error).message}.`);
    }
  }

  private requestsIn(body: JsonValue, several: boolean): InferRequest[] {
    if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, 'data')) {
      throw new Refusal(400, 'The request must be an object with the field data, as in {"data": …, "samples": 1000}.');
    }
    const { data, samples, format = 'summary', seed, ...others } = body;
    const [odd] = Object.keys(others);
    if (odd !== undefined)
      throw new Refusal(400, `The request has a field '${odd}'; it may have data, samples, format, seed.`);
    const most = this.settings.limits.samples;
    if (
      samples !== undefined &&
      !(Number.isInteger(samples) && (samples as number) >= 1 && (samples as number) <= most)
    ) {
      throw new Refusal(400, `samples must be a whole number from 1 to ${most}, got ${JSON.stringify(samples)}.`);
    }
    if (format !== 'summary' && format !== 'samples') {
      throw new Refusal(400, `format must be "summary" or "samples", got ${JSON.stringify(format)}.`);
    }
    if (seed !== undefined && !isSeed(seed))
      throw new Refusal(400, `seed must be ${SEED_KIND}, got ${JSON.stringify(seed)}.`);
    if (several && !(Array.isArray(data) && data.length > 0)) {
      throw new Refusal(400, '/posteriors takes a list of data, one for each posterior: {"data": [datum, datum]}.');
    }
    const common = { samples: samples as number | undefined, format, seed: seed as number | undefined } as const;
    return (several ? (data as JsonValue[]) : [data]).map((datum) => ({ data: datum, ...common }));
  }
}

const statusOf = (answer: InferAnswer): number => ('result' in answer ? 200 : answer.refused ? 400 : 500);

const answerText = (answer: InferAnswer): string =>
  'result' in answer ? answer.result : JSON.stringify({ error: { message: answer.message } });

/** Starts to listen. Rejects if the port cannot be had. */
export function startServer(queue: BatchQueue, metrics: Metrics, settings: ServerSettings): Promise<Serving> {
  const responder = new Responder(queue, metrics, settings);
  const server: Server = createServer((request, response) => void responder.answer(request, response));
  server.requestTimeout = PATIENCE_MS;
  server.headersTimeout = PATIENCE_MS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => {
      const stop = async (): Promise<void> => {
        responder.stopping = true;
        const closed = new Promise<void>((done) => server.close(() => done()));
        server.closeIdleConnections();
        await queue.emptied();
        // Answers are written when this turn is over.
        setImmediate(() => server.closeIdleConnections());
        await closed;
      };
      resolve({ address: server.address() as AddressInfo, stop });
    });
  });
}
