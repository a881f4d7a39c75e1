/** Threads for programs in pages: workers made from text, so that nothing has to lie beside a bundle. */
import { type Line, lineToWeb, type Thread, type WebWorker } from './web-line.ts';

export function lineTo(thread: Thread): Line {
  return lineToWeb(thread as WebWorker);
}

/** What pages have, and workers too. */
interface Page {
  readonly Worker?: new (url: string) => WebWorker;
  readonly document?: unknown;
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: never }) => void): void;
}

const page = globalThis as unknown as Page;

export async function programThread(): Promise<WebWorker> {
  if (page.Worker === undefined) throw new Error('This host has no workers.');
  const { text } = await import('./program-worker-text.ts');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    return new page.Worker(url);
  } finally {
    // The worker has the text by now.
    URL.revokeObjectURL(url);
  }
}

export function ownLine(): Pick<Line, 'send' | 'onMessage'> | undefined {
  if (page.document !== undefined || typeof page.postMessage !== 'function') return undefined;
  return {
    send: (message) => page.postMessage(message),
    onMessage: (listener) => page.addEventListener('message', ({ data }) => listener(data)),
  };
}
