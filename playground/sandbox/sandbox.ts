/**
 * The page's side of the sandbox: a hidden frame without an origin of its own, in which workers run what the page did not
 * write. The frame is started when it is first needed, and anew if it has gone.
 */
import type { FrameReply, FrameRequest, WorkerKind } from './protocol.ts';

const PING_MS = 1000;
/**
 * A frame that leaves so many pings unanswered has crashed, most likely for want of memory. They are counted, because time
 * passes also where nothing runs: in a tab that is hidden, in a computer that sleeps.
 */
const PATIENCE = 8;

/** One worker in the frame. */
export interface Tenant {
  readonly port: MessagePort;
  /** Ends it at once, whatever it does. */
  close(): void;
}

interface Guest {
  readonly kind: WorkerKind;
  /** Without a reason where it crashed. */
  lost(reason?: string): void;
}

export class Sandbox {
  private frame: HTMLIFrameElement | undefined;
  private port: Promise<MessagePort> | undefined;
  private readonly guests = new Map<number, Guest>();
  private readonly texts = new Map<WorkerKind, Promise<string>>();
  private next = 1;
  private unanswered = 0;
  private watch: ReturnType<typeof setInterval> | undefined;

  /** `base` is the folder with `sandbox.html`, `engine.js` and `charts.js`. */
  constructor(private readonly base: string) {}

  /** Starts a worker. `lost` is told if it dies before it is closed, and why, unless it crashed. */
  open(kind: WorkerKind, lost: (reason?: string) => void): Tenant {
    const number = this.next++;
    this.guests.set(number, { kind, lost });
    const { port1, port2 } = new MessageChannel();
    // Where browsers say that the other side is gone; elsewhere the time limit ends the wait.
    port1.addEventListener('close', () => this.lose(number));
    void this.start(kind, number, port2).catch((error: Error) => this.lose(number, error.message));
    return {
      port: port1,
      close: () => {
        if (!this.guests.delete(number)) return;
        port1.close();
        void this.send({ kind: 'close', number });
        this.rest();
      },
    };
  }

  private async start(kind: WorkerKind, number: number, port: MessagePort): Promise<void> {
    const known = this.texts.has(kind);
    const text = await this.text(kind);
    if (!this.guests.has(number)) return;
    if (!known) await this.send({ kind: 'code', worker: kind, text });
    await this.send({ kind: 'open', worker: kind, number }, [port]);
    this.watch ??= setInterval(() => this.look(), PING_MS);
    this.unanswered = 0;
  }

  private text(kind: WorkerKind): Promise<string> {
    let text = this.texts.get(kind);
    if (text === undefined) {
      const url = new URL(`${kind}.js`, this.base);
      text = fetch(url).then((response) => {
        if (!response.ok) throw new Error(`${url.pathname} cannot be loaded (${response.status}).`);
        return response.text();
      });
      text.catch(() => this.texts.delete(kind));
      this.texts.set(kind, text);
    }
    return text;
  }

  private async send(request: FrameRequest, ports: MessagePort[] = []): Promise<void> {
    this.port ??= this.load();
    (await this.port).postMessage(request, ports);
  }

  /** Makes the frame. The port goes to nobody but the document that was just loaded there. */
  private load(): Promise<MessagePort> {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.hidden = true;
    frame.title = 'Where programs run';
    frame.src = new URL('sandbox.html', this.base).href;
    this.frame = frame;
    return new Promise((resolve) => {
      frame.onload = () => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }: MessageEvent<FrameReply>) => this.hear(data);
        // It has no origin that could be named; the frame is the page's own, and what is in it was loaded by the page.
        frame.contentWindow?.postMessage(null, '*', [port2]);
        resolve(port1);
      };
      document.body.append(frame);
    });
  }

  private hear(reply: FrameReply): void {
    this.unanswered = 0;
    if (reply?.kind === 'failed') this.lose(reply.number, String(reply.message));
  }

  private lose(number: number, reason?: string): void {
    const guest = this.guests.get(number);
    this.guests.delete(number);
    guest?.lost(reason);
    this.rest();
  }

  /** Nobody is in the frame: there is nothing to watch. */
  private rest(): void {
    if (this.guests.size > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }

  private look(): void {
    if (this.unanswered++ < PATIENCE) void this.send({ kind: 'ping' });
    else this.abandon();
  }

  /** The frame is gone: its workers with it. The next one gets a new frame. */
  private abandon(): void {
    this.frame?.remove();
    this.frame = undefined;
    this.port = undefined;
    this.texts.clear();
    this.unanswered = 0;
    for (const number of [...this.guests.keys()]) this.lose(number);
  }
}
