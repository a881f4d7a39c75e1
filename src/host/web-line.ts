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
  addEventListener(type: string, listener: (event: never) => void): void;
  terminate(): void;
}

/** What Node has. */
export interface NodeThread {
  postMessage(message: unknown): void;
  readonly on: unknown;
  terminate(): unknown;
}

/** A thread, whoever's it is. */
export type Thread = WebWorker | NodeThread;

export function lineToWeb(thread: WebWorker): Line {
  return {
    send: (message) => thread.postMessage(message),
    onMessage: (listener) => thread.addEventListener('message', (event: { data: never }) => listener(event.data)),
    onEnd: (listener) =>
      thread.addEventListener('error', (event: { message?: string }) =>
        listener(new Error(event.message || 'The worker could not be loaded.')),
      ),
    end: () => thread.terminate(),
  };
}
