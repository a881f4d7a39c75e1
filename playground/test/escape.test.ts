import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from './browser.ts';
import { expectStatus, run, text, write } from './playground-page.ts';

/** Ways out that a program might try, as text for a worker: each gives what it got, or throws. `TARGET` is a server that listens. */
const WAYS: Readonly<Record<string, string>> = {
  fetch: 'await (await fetch(TARGET)).text()',
  'fetch without an answer': "await fetch(TARGET, { mode: 'no-cors' })",
  'fetch of the page': 'await (await fetch(PAGE)).text()',
  XMLHttpRequest: `await new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open('GET', TARGET);
    request.onload = () => done(request.responseText);
    request.onerror = () => fail(new Error('refused'));
    request.send();
  })`,
  'a synchronous XMLHttpRequest': `(() => {
    const request = new XMLHttpRequest();
    request.open('GET', TARGET, false);
    request.send();
    return request.responseText;
  })()`,
  WebSocket: `await new Promise((done, fail) => {
    const socket = new WebSocket(TARGET.replace('http', 'ws'));
    socket.onopen = () => done('open');
    socket.onerror = () => fail(new Error('refused'));
  })`,
  EventSource: `await new Promise((done, fail) => {
    const source = new EventSource(TARGET);
    source.onopen = () => done('open');
    source.onerror = () => fail(new Error('refused'));
  })`,
  WebTransport: "await new WebTransport(TARGET.replace('http:', 'https:')).ready",
  importScripts: 'importScripts(TARGET)',
  import: 'await import(TARGET)',
  'import of data': "(await import('data:text/javascript,export default 1')).default",
  'a worker from elsewhere': 'new Worker(TARGET)',
  'a worker of its own': `await new Promise((done, fail) => {
    const text = 'fetch(' + JSON.stringify(TARGET) + ').then((r) => postMessage("got"), () => postMessage("refused"))';
    const worker = new Worker(URL.createObjectURL(new Blob([text])));
    worker.onmessage = ({ data }) => (data === 'got' ? done(data) : fail(new Error(data)));
    worker.onerror = () => fail(new Error('refused'));
  })`,
  indexedDB: `await new Promise((done, fail) => {
    const request = indexedDB.open('x');
    request.onsuccess = () => done('open');
    request.onerror = () => fail(new Error('refused'));
  })`,
  caches: "await caches.open('x')",
  'the file system': 'await navigator.storage.getDirectory()',
  localStorage: 'localStorage.length',
  cookies: 'document.cookie',
  'the parent': 'parent.document',
  'the window': 'window.location',
  'a notification': 'await Notification.permission.match(/granted/)[0]',
  'a beacon': 'navigator.sendBeacon(TARGET)',
};

describe.skipIf(findBrowser() === undefined)('out of the sandbox', () => {
  let here: Stage;
  /** Whoever comes here has got out. */
  const asked: string[] = [];
  const outside = createServer((request, response) => {
    asked.push(String(request.url));
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' }).end('1');
  });
  let target = '';

  beforeAll(async () => {
    here = await stage();
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
    target = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
    // The server outside is heard by those who may ask.
    await fetch(`${target}control`);
  });
  afterAll(async () => {
    outside.closeAllConnections();
    outside.close();
    await here.end();
  });

  test('a worker of the frame gets nowhere, whatever it tries', async () => {
    const page = await here.open('/mark.svg');
    const attack = `onmessage = async ({ ports: [port] }) => {
      const TARGET = ${JSON.stringify(`${target}leak`)}, PAGE = ${JSON.stringify(`${here.origin}/index.html`)};
      const found = {};
      const soon = (work) => Promise.race([work, new Promise((_, fail) => setTimeout(() => fail(new Error('no answer')), 4000))]);
      ${Object.entries(WAYS)
        .map(
          ([name, way]) =>
            `try { found[${JSON.stringify(name)}] = 'got ' + (await soon((async () => (${way}))())); } catch (error) { found[${JSON.stringify(name)}] = 'refused'; }`,
        )
        .join('\n')}
      port.postMessage({ origin: self.origin, found });
    };`;
    // On a page without rules of its own, so that those of the frame are what is tried.
    await page.goto(`${here.origin}/none`);
    const { origin, found } = await page.evaluate(
      ({ base, attack }) =>
        new Promise<{ origin: string; found: Record<string, string> }>((resolve) => {
          const frame = document.createElement('iframe');
          frame.setAttribute('sandbox', 'allow-scripts');
          frame.src = `${base}/sandbox.html`;
          frame.onload = () => {
            const [toFrame, toWorker] = [new MessageChannel(), new MessageChannel()];
            frame.contentWindow!.postMessage(null, '*', [toFrame.port2]);
            toWorker.port1.onmessage = ({ data }) => resolve(data);
            toFrame.port1.postMessage({ kind: 'code', worker: 'engine', text: attack });
            toFrame.port1.postMessage({ kind: 'open', worker: 'engine', number: 1 }, [toWorker.port2]);
          };
          document.body.append(frame);
        }),
      { base: here.origin, attack },
    );
    expect(origin).toBe('null');
    expect(found).toEqual(Object.fromEntries(Object.keys(WAYS).map((name) => [name, 'refused'])));
    expect(asked).toEqual(['/control']);
  });

  test('a program that forges messages changes its own results, and nothing of the page', async () => {
    const page = await here.open();
    const before = await page.title();
    await write(
      page,
      `var shout = function(message) { _top.postMessage(message); };
       shout({kind: 'close', number: 1});
       shout({kind: 'failed', number: 1, message: 'x'});
       shout({kind: 'value', text: 'forged'});
       display('<img src=x onerror="document.title = 1"><script>document.title = 2</script>');
       viz.table([1, 2]);
       display('end');`,
    );
    await run(page);
    await expectStatus(page, /^Done in/);
    expect(await page.locator('pre.output').first().innerText()).toContain('<img src=x');
    expect(await page.getByText('forged').count()).toBe(1); // in the editor alone
    expect(await page.locator('.results script, .results img[src=x]').count()).toBe(0);
    expect((await page.title()).replace(/^.*· /, '')).toBe(before.replace(/^.*· /, ''));
  });

  test('a chart cannot load anything', async () => {
    const page = await here.open();
    await write(
      page,
      `var chart = {kind: 'chart', text: 'evil', spec: {
         data: {url: '${target}chart.json'}, mark: {type: 'image', url: '${target}chart.png'}, encoding: {x: {field: 'a'}}
       }};
       display(chart);`,
    );
    await run(page);
    await page.locator('.chart .problem, .chart img').first().waitFor();
    expect(asked).toEqual(['/control']);
  });

  test('the page survives a worker that ends itself, and the text is still there', async () => {
    const page = await here.open();
    await write(page, "display('before');\n_top.close();\n1");
    await run(page);
    expect(await text(page)).toContain('_top.close()');
    await write(page, '1 + 1');
    await run(page);
    expect(await page.locator('pre.value').innerText()).toBe('2');
  });

  test('the page survives the loss of the whole frame', async () => {
    const page = await here.open();
    await write(page, "display('before');\nvar loop = function() { while (true) {} };\nloop();");
    await page.locator('#run').click();
    await page.getByText('before', { exact: true }).waitFor();
    // What a crash of its process looks like from the page.
    await page.evaluate(() => document.querySelector('iframe')!.contentWindow!.location.replace('about:blank'));
    await page.getByText('Your text is safe').waitFor({ timeout: 30_000 });
    await write(page, '3 + 4');
    await run(page);
    expect(await page.locator('pre.value').innerText()).toBe('7');
  });

  test('a page that cannot load the engine says so, and tries again', async () => {
    const page = await here.open('/exercises.html');
    const box = page.locator('waymark-editor').first();
    await page.route('**/engine.js', (route) => route.fulfill({ status: 404 }));
    await box.getByRole('button', { name: 'Run' }).click();
    await box.getByText('engine.js cannot be loaded (404)').waitFor();
    await page.unroute('**/engine.js');
    await box.getByRole('button', { name: 'Run' }).click();
    await box.locator('.chart img').waitFor();
  });
});
