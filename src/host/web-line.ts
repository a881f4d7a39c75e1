/** The line to a thread, from either end. */
export interface Line {
  send(message: unknown): void;
  onMessage(listener: (message: never) => void): void;
  /** Called if the thread ends by itself, with what it ended by. */
  onEnd(listener: (error: Error) => void): void;
  /** Ends the thread, whatever it does. */
  end(): void;
}

/** What pages have for threads, and other hosts too. */
export interface WebWorker {
  postMessage(message: unknown): void;
  /** As pages have it; its type is in a library of TypeScript's that not everybody uses. */
  readonly addEventListener: unknown;
  terminate(): void;
}

type Listen = (type: string, listener: (event: { data: never; message?: string }) => void) => void;

/** What Node has. */
export interface NodeThread {
  postMessage(message: unknown): void;
  readonly on: unknown;
  terminate(): unknown;
}

/** A thread of a page or of Node. */
export type Thread = WebWorker | NodeThread;

export function lineToWeb(thread: WebWorker): Line {
  const listen: Listen = (type, listener) => (thread.addEventListener as Listen).call(thread, type, listener);
  return {
    send: (message) => thread.postMessage(message),
    onMessage: (listener) => listen('message', ({ data }) => listener(data)),
    onEnd: (listener) =>
      listen('error', ({ message }) => listener(new Error(message || 'The worker could not be loaded.'))),
    end: () => thread.terminate(),
  };
}
