import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { BatchQueue } from '../../../src/cli/serve/batch-queue.ts';
import { type Serving, startServer } from '../../../src/cli/serve/http-server.ts';
import { Metrics } from '../../../src/cli/serve/metrics.ts';
import type { InferAnswer, InferRequest } from '../../../src/cli/serve/protocol.ts';

/** A server whose answers are given by hand: each batch waits until it is let go. */
class Fake {
  readonly batches: InferRequest[][] = [];
  private readonly ends: (() => void)[] = [];
  private constructor(readonly serving: Serving) {}

  static async start(limits: { queue?: number; batch?: number } = {}, held = false): Promise<Fake> {
    const metrics = new Metrics();
    const answer = ({ data }: InferRequest): InferAnswer =>
      data === 'bad'
        ? { refused: true, message: 'data is bad.' }
        : data === 'broken'
          ? { refused: false, message: 'The program failed.' }
          : { result: JSON.stringify({ got: data }), khat: data === 'heavy' ? 0.9 : 0.1 };
    const compute = async (requests: readonly InferRequest[]): Promise<InferAnswer[]> => {
      fake.batches.push([...requests]);
      if (held) await new Promise<void>((end) => fake.ends.push(end));
      return requests.map(answer);
    };
    const queue = new BatchQueue(compute, { queue: 4, batch: 3, ...limits }, metrics);
    const about = { schema: { type: 'number' }, example: 1, about: 'a fake' };
    const settings = { host: '127.0.0.1', port: 0, limits: { bytes: 200, samples: 50 }, about };
    const fake: Fake = new Fake(await startServer(queue, metrics, settings));
    running.push(fake);
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.serving.address.port}`;
  }

  /** Lets the batch that is computed go. */
  go(): void {
    this.ends.shift()?.();
  }

  async post(body: unknown, path = '/posterior', headers: Record<string, string> = {}) {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as { error: { message: string } },
      headers: response.headers,
    };
  }

  async get(path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(this.url + path);
    return { status: response.status, text: await response.text() };
  }

  /** Resolves when so many batches have begun. */
  async begun(count: number): Promise<void> {
    while (this.batches.length < count) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Resolves when so many requests wait. */
  async waiting(count: number): Promise<void> {
    while (JSON.parse((await this.get('/health')).text).queue !== count);
  }
}

const running: Fake[] = [];
afterEach(async () => {
  for (const fake of running.splice(0)) {
    const stopped = fake.serving.stop();
    for (let i = 0; i < 50; i++) {
      fake.go();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await stopped;
  }
});

describe('requests', () => {
  test('are answered with JSON', async () => {
    const fake = await Fake.start();
    expect(await fake.post({ data: 3, samples: 7, format: 'samples', seed: 2 })).toMatchObject({
      status: 200,
      body: { got: 3 },
    });
    expect(fake.batches[0]).toEqual([{ data: 3, samples: 7, format: 'samples', seed: 2 }]);
    const { body } = await fake.post({ data: [1, 'bad', null] }, '/posteriors');
    expect(body).toEqual({ posteriors: [{ got: 1 }, { error: { message: 'data is bad.' } }, { got: null }] });
    expect(JSON.parse((await fake.get('/schema')).text)).toMatchObject({ type: 'number', examples: [1] });
    expect(JSON.parse((await fake.get('/')).text)).toMatchObject({ about: 'a fake', paths: { '/posterior': 'POST' } });
  });

  test.each([
    ['/posterior', '{"data": 3', 400, 'The request is not JSON'],
    ['/posterior', '[1]', 400, 'must be an object with the field data'],
    ['/posterior', '{"samples": 3}', 400, 'must be an object with the field data'],
    ['/posterior', '{"data": 3, "sample": 3}', 400, "a field 'sample'; it may have data, samples, format, seed."],
    ['/posterior', '{"data": 3, "samples": 51}', 400, 'samples must be a whole number from 1 to 50, got 51.'],
    ['/posterior', '{"data": 3, "samples": "3"}', 400, 'samples must be a whole number from 1 to 50, got "3".'],
    ['/posterior', '{"data": 3, "format": "all"}', 400, 'format must be "summary" or "samples", got "all".'],
    ['/posterior', '{"data": 3, "seed": 0.5}', 400, 'seed must be'],
    ['/posterior', '{"data": "bad"}', 400, 'data is bad.'],
    ['/posterior', '{"data": "broken"}', 500, 'The program failed.'],
    ['/posteriors', '{"data": 3}', 400, '/posteriors takes a list of data'],
    ['/posteriors', '{"data": []}', 400, '/posteriors takes a list of data'],
    ['/posterior', `{"data": "${'x'.repeat(300)}"}`, 413, 'A request may have 200 bytes'],
    ['/other', '{}', 404, 'There is nothing at /other.'],
    ['/health', '{}', 405, '/health takes GET.'],
  ])('%s %s: %d', async (path, body, status, message) => {
    const answer = await (await Fake.start()).post(body, path);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toContain(message);
  });

  test('that pages of others send are refused', async () => {
    const fake = await Fake.start();
    const plain = await fake.post({ data: 1 }, '/posterior', { 'Content-Type': 'text/plain' });
    expect({ status: plain.status, message: plain.body.error.message }).toMatchObject({ status: 415 });
    const { port } = fake.serving.address;
    const status = await new Promise((resolve) => {
      const asked = request({ port, host: '127.0.0.1', path: '/health', headers: { Host: `evil.example:${port}` } });
      asked.on('response', (response) => resolve(response.statusCode)).end();
    });
    expect(status).toBe(403);
    expect(fake.batches).toEqual([]);
  });

  test('that come without a length are counted as they come', async () => {
    const fake = await Fake.start();
    const { port } = fake.serving.address;
    const status = await new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
      const asked = request({ port, host: '127.0.0.1', path: '/posterior', method: 'POST', headers });
      asked.on('response', (response) => resolve(response.statusCode)).on('error', reject);
      asked.end('x'.repeat(1000));
    });
    expect(status).toBe(413);
  });
});

describe('requests that come at once', () => {
  test('are computed together, no more than may be, and others are sent away', async () => {
    const fake = await Fake.start({ queue: 4, batch: 3 }, true);
    const first = fake.post({ data: 0 });
    await fake.begun(1);
    const rest = [1, 2, 3, 4].map((data) => fake.post({ data }));
    await fake.waiting(4);
    const refused = await fake.post({ data: 5 });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('1');
    expect(refused.body.error.message).toBe('4 requests wait already. Try again later.');
    // A list waits as a whole, or not at all.
    expect((await fake.post({ data: [1, 2] }, '/posteriors')).status).toBe(429);
    fake.go();
    await fake.begun(2);
    fake.go();
    await fake.begun(3);
    fake.go();
    expect((await Promise.all([first, ...rest])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(fake.batches.map((batch) => batch.length)).toEqual([1, 3, 1]);
    const { text } = await fake.get('/metrics');
    expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
    for (const line of [
      'waymark_responses_total{status="429"} 2',
      'waymark_batches_total 3',
      'waymark_batched_requests_total 5',
      'waymark_queue_length 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  test('and whose sender is gone, are not computed', async () => {
    const fake = await Fake.start({}, true);
    const first = fake.post({ data: 0 });
    await fake.begun(1);
    const gone = new AbortController();
    const lost = fetch(`${fake.url}/posterior`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"data": 1}',
      signal: gone.signal,
    });
    lost.catch(() => {});
    await fake.waiting(1);
    gone.abort();
    await fake.waiting(0);
    fake.go();
    expect((await first).status).toBe(200);
    expect(fake.batches).toHaveLength(1);
  });
});

test('stopping answers what waits, and takes no more', async () => {
  const fake = await Fake.start({}, true);
  running.pop();
  const first = fake.post({ data: 0 });
  await fake.begun(1);
  const second = fake.post({ data: 1 });
  await fake.waiting(1);
  const stopped = fake.serving.stop();
  await expect(fetch(`${fake.url}/health`)).rejects.toThrow();
  fake.go();
  await fake.begun(2);
  fake.go();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  await stopped;
});

test('answers whose weights are bad are counted', async () => {
  const fake = await Fake.start();
  await fake.post({ data: 'heavy' });
  expect((await fake.get('/metrics')).text).toContain('waymark_khat_above_limit_total 1\n');
});
