/** Runs programs in the sandbox, each in a worker of its own: what one leaves behind, the next never meets. */
import type { EngineReply, EngineRequest, Fault, Job } from './protocol.ts';
import type { Sandbox, Tenant } from './sandbox.ts';

/** How a run came to its end. */
export type Ending =
  | { readonly kind: 'done'; readonly milliseconds: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'too long'; readonly seconds: number }
  /** The worker is gone, or the whole frame; or it never came, for a reason. */
  | { readonly kind: 'lost'; readonly reason?: string };

export type Reply = Exclude<EngineReply, { kind: 'ready' | 'end' | 'checked' }>;

export interface Listener {
  reply(reply: Reply): void;
  /** Called once, after everything else. */
  end(ending: Ending): void;
}

export interface Running {
  stop(): void;
}

export class Runner {
  /** Started before it is needed: loading the engine takes longer than most programs. */
  private spare: { tenant: Tenant; lost: (reason?: string) => void } | undefined;

  constructor(private readonly sandbox: Sandbox) {}

  /** Has a worker ready for the next program. */
  prepare(): void {
    if (this.spare !== undefined) return;
    const spare = {
      tenant: this.sandbox.open('engine', (reason) => spare.lost(reason)),
      lost: (_reason?: string) => {
        if (this.spare === spare) this.spare = undefined;
      },
    };
    this.spare = spare;
  }

  /** Runs a program for at most so many seconds. */
  run(job: Job, seconds: number, listener: Listener): Running {
    this.prepare();
    const used = this.spare!;
    this.spare = undefined;
    let over = false;
    const finish = (ending: Ending) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      used.tenant.close();
      this.prepare();
      listener.end(ending);
    };
    const timer = setTimeout(() => finish({ kind: 'too long', seconds }), seconds * 1000);
    used.lost = (reason) => finish({ kind: 'lost', reason });
    used.tenant.port.onmessage = ({ data }: MessageEvent<EngineReply>) => {
      if (over) return;
      if (data.kind === 'end') finish({ kind: 'done', milliseconds: Number(data.milliseconds) });
      else if (data.kind !== 'ready' && data.kind !== 'checked') listener.reply(data);
    };
    ask(used.tenant, { kind: 'run', job });
    return { stop: () => finish({ kind: 'stopped' }) };
  }
}

function ask({ port }: Tenant, request: EngineRequest): void {
  port.postMessage(request);
}

/** A text that the compiler has not answered for within this time is not waited for. */
const CHECK_MS = 5000;

/** Asks the compiler about texts that are being written. One worker serves them all: none of them is run. */
export class Checker {
  private tenant: Tenant | undefined;
  private number = 0;
  private readonly waiting = new Map<number, (fault: Fault | undefined) => void>();

  constructor(private readonly sandbox: Sandbox) {}

  check(job: Job): Promise<Fault | undefined> {
    const number = ++this.number;
    this.tenant ??= this.start();
    ask(this.tenant, { kind: 'check', number, job });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.restart(), CHECK_MS);
      this.waiting.set(number, (fault) => {
        clearTimeout(timer);
        this.waiting.delete(number);
        resolve(fault);
      });
    });
  }

  private start(): Tenant {
    const tenant = this.sandbox.open('engine', () => this.restart());
    tenant.port.onmessage = ({ data }: MessageEvent<EngineReply>) => {
      if (data.kind === 'checked') this.waiting.get(data.number)?.(data.fault);
    };
    return tenant;
  }

  /** Nothing is said of the texts that it had. */
  private restart(): void {
    this.tenant?.close();
    this.tenant = undefined;
    for (const answer of [...this.waiting.values()]) answer(undefined);
  }
}
