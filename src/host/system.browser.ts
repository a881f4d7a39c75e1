/** The page, or the thread of one, that programs run in. */

/** What a page has, if it is isolated from others (COOP and COEP). */
interface Page {
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly crossOriginIsolated?: boolean;
  readonly Worker?: new (url: string) => { postMessage(message: unknown): void };
  readonly Blob?: new (parts: string[]) => object;
  readonly URL?: { createObjectURL(blob: object): string };
}

const page = globalThis as unknown as Page;

export const LONGEST_TEXT = 2 ** 29;

export const ownThread = () => ({ pid: 0, thread: 0, host: 'page' });
export const isRunning = (_id: number): boolean => false;

/** Pages keep no checkpoints, for which alone a better one would be needed. */
export function fingerprintOf(parts: Iterable<string | Uint8Array>): string {
  let hash = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const code = typeof part === 'string' ? part.charCodeAt(i) : part[i];
      hash = (Math.imul(hash, 31) + code) | 0;
    }
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Pages know no better. */
export const processorTime = (): number => performance.now();

export const now = (): number => performance.now();
export const currentFolder = (): string => '/';
export const hostVersion = (): string => 'none';
export const platform = (): string => 'browser';
export const environment = (_name: string): string | undefined => undefined;
export const processors = (): number => page.navigator?.hardwareConcurrency ?? 1;
export const processorFlags = (): ReadonlySet<string> => new Set();
export const canStartThreads = (): boolean => page.crossOriginIsolated === true;

export function startThread(body: string, start: unknown, offer: unknown): void {
  if (page.Worker === undefined || page.Blob === undefined || page.URL === undefined)
    throw new Error('no workers here');
  const text = `onmessage = ({ data }) => (${body})(data.start, data.offer, null);`;
  new page.Worker(page.URL.createObjectURL(new page.Blob([text]))).postMessage({ start, offer });
}

/** A page never waits. */
export function pause(_milliseconds: number): void {}
