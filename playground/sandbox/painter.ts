/** Draws charts in the sandbox: specifications come from programs, and nothing in them is to touch the page. */
import type { DrawReply, MarkPlace } from './protocol.ts';
import type { Sandbox, Tenant } from './sandbox.ts';

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly marks: readonly MarkPlace[];
}

/** A chart that is not drawn by then never will be. */
const DRAW_MS = 20_000;

export class Painter {
  private tenant: Tenant | undefined;
  private number = 0;
  private readonly waiting = new Map<number, (reply: DrawReply | undefined) => void>();

  constructor(private readonly sandbox: Sandbox) {}

  /** Rejects, with what is wrong, if it cannot be drawn. */
  async draw(spec: object, dark: boolean, width: number): Promise<Picture> {
    const number = ++this.number;
    this.tenant ??= this.start();
    this.tenant.port.postMessage({ number, spec, dark, width });
    const reply = await new Promise<DrawReply | undefined>((resolve) => {
      const timer = setTimeout(() => this.restart(), DRAW_MS);
      this.waiting.set(number, (answer) => {
        clearTimeout(timer);
        this.waiting.delete(number);
        resolve(answer);
      });
    });
    if (reply === undefined) throw new Error('The chart could not be drawn in time.');
    if ('problem' in reply) throw new Error(String(reply.problem));
    const marks = Array.isArray(reply.marks) ? (reply.marks as readonly Partial<MarkPlace>[]).map(asMark) : [];
    return { svg: String(reply.svg), width: Number(reply.width), height: Number(reply.height), marks };
  }

  private start(): Tenant {
    const tenant = this.sandbox.open('charts', () => this.restart());
    tenant.port.onmessage = ({ data }: MessageEvent<DrawReply>) => this.waiting.get(data.number)?.(data);
    return tenant;
  }

  private restart(): void {
    this.tenant?.close();
    this.tenant = undefined;
    for (const answer of [...this.waiting.values()]) answer(undefined);
  }
}

/** Whatever comes out of the sandbox is made what it should be. */
const asMark = (mark: Partial<MarkPlace> | null): MarkPlace => ({
  x: Number(mark?.x),
  y: Number(mark?.y),
  width: Number(mark?.width),
  height: Number(mark?.height),
  text: String(mark?.text),
});
