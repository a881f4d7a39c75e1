/**
 * A thread that helps another: it runs the same program, and where it comes to work that the other is at, it takes parts of that, the last
 * first. What came of them goes to the other, and what came of the rest comes from there.
 *
 * It only ever helps. Whatever it cannot do well (something is printed or fails, a value has no form as bytes) it leaves
 * to the other, and ends: there the same happens as without it.
 */
import type { HelpedWork, Helpers, PartWork } from '../runtime/helpers.ts';
import type { Team } from '../runtime/team.ts';
import { runsAlike } from './alike.ts';
import { type Claims, MOST_PARTS } from './claims.ts';
import { packed, unpacked } from './parcels.ts';

/** How two threads send each other messages. */
export interface Post {
  send(message: unknown): void;
  /** The oldest message that has come; undefined if there is none. */
  receive(): unknown;
}

/** What came of a part, for the first thread. */
export interface PartMessage {
  readonly work: number;
  readonly part: number;
  readonly start: Uint8Array;
  readonly result: Uint8Array;
  /** Advice that was to be given. */
  readonly advice: readonly string[];
}

/** What came of all parts that a helper has not done, for that helper; without it it has to leave. */
export interface EndMessage {
  readonly work: number;
  readonly results: Uint8Array | undefined;
}

/** Work that is done in this time needs no help: the first thread would wait for this one, which may have to wait for a processor. */
const SHORT_MS = 30;

/** A helper is not the one that speaks and writes files. It exchanges nothing as ranks do. */
export const SILENT: Team = {
  ...{ rank: 1, size: 1, stop: 0, over: true },
  sum() {},
  largest() {},
  gather: () => [],
  broadcast: () => new Uint8Array(0),
};

export class Helper implements Helpers {
  private work = 0;
  private isWorking = false;
  private advice: string[] = [];

  constructor(
    private readonly claims: Claims,
    private readonly post: Post,
    /** The work that the first thread was at when it started this one: what comes before, each does alone. */
    private readonly from: number,
    /** Ends this thread. */
    private readonly end: () => never,
  ) {}

  begin(parts: number): HelpedWork | undefined {
    const work = ++this.work;
    if (work < this.from || parts > MOST_PARTS || !runsAlike()) return undefined;
    this.claims.awaitOpen(work);
    return { results: (given) => this.results(work, parts, given), elsewhere: 0 };
  }

  readonly prints = (): void => {
    if (this.isWorking) this.leave();
  };

  readonly writes = (): void => this.leave();

  readonly warns = (message: string): void => void this.advice.push(message);

  /** Nothing more comes from this thread. */
  leave(): never {
    this.claims.leave();
    return this.end();
  }

  private results<R>(work: number, parts: number, given: PartWork<R>): R[] {
    const { claims } = this;
    if (claims.isClosedWithin(work, SHORT_MS)) return this.resultsOfAll(work, new Map()) as R[];
    this.advice = [];
    this.isWorking = true;
    // Before the parts are done: that may change where they have started from.
    const starts = new Map<number, Uint8Array>();
    const own = given.run({
      next: () => {
        for (let part = parts - 1; part >= 0; part--) {
          if (!claims.take(work, part)) continue;
          // What cannot be compared is not done here.
          starts.set(part, given.startOf(part) ?? this.leave());
          return part;
        }
        return -1;
      },
      look: () => claims.beat(),
    });
    for (const [part, found] of own) this.send(work, part, starts.get(part) as Uint8Array, found);
    this.isWorking = false;
    return this.resultsOfAll(work, own) as R[];
  }

  private send(work: number, part: number, start: Uint8Array, found: unknown): void {
    const result = packed(found) ?? this.leave();
    this.post.send({ work, part, start, result, advice: this.advice } satisfies PartMessage);
    this.claims.sent();
  }

  /** Of the parts that this thread has done, and of others as the first thread tells. */
  private resultsOfAll(work: number, own: ReadonlyMap<number, unknown>): unknown[] {
    this.claims.awaitClosed(work);
    let message = this.post.receive() as EndMessage | undefined;
    while (message !== undefined && message.work < work) message = this.post.receive() as EndMessage | undefined;
    // There is no such message where the work has failed, and the program has caught that.
    if (message?.work !== work || message.results === undefined) return this.leave();
    return (unpacked(message.results) as unknown[]).map((result, part) => own.get(part) ?? result);
  }
}
