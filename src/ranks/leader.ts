/**
 * The thread that runs a program, and starts helpers where it finds that long work has parts that it will not come to for a while. What helpers
 * do is a copy of what it would do itself, and it takes nothing on trust: a part counts only if it starts from the same values here.
 */
import { now } from '../host/system.ts';
import type { HelpedWork, Helpers, PartWork } from '../runtime/helpers.ts';
import { machine } from '../runtime/machine.ts';
import { sameValue } from '../runtime/values.ts';
import { runsAlike } from './alike.ts';
import { Claims, claimsMemory, MOST_HELPERS, MOST_PARTS } from './claims.ts';
import type { EndMessage, PartMessage, Post } from './helper.ts';
import { packed, unpacked } from './parcels.ts';
import { isWorthHelp, type Moment, moment, sinceMoment } from './worth-help.ts';

/** How long a helper may show no sign of life before this thread does its parts. */
const PATIENCE_MS = 10_000;

/** A helper as the first thread sees it. */
interface Member {
  readonly name: number;
  readonly post: Post;
  end(): void;
}

/** Starts a helper, which is told this. */
export type StartHelper = (start: {
  readonly memory: SharedArrayBuffer;
  readonly name: number;
  readonly from: number;
}) => Omit<Member, 'name'>;

export class Leader implements Helpers {
  private readonly memory = claimsMemory();
  private readonly claims = new Claims(this.memory, 0);
  private readonly began = moment();
  private readonly members: Member[] = [];
  private readonly letters = new Map<number, PartMessage>();
  private work = 0;
  /** What came of the last work and who did which part, as long as helpers have not been told. */
  private ended: { readonly results: readonly unknown[]; readonly takers: readonly number[] } | null = null;
  /** Whether no helper is to be started any more: one was, and came to nothing. */
  private isAlone = false;

  constructor(
    /** The most helpers that there are processors for. */
    private readonly most: number,
    private readonly startHelper: StartHelper,
    /** Whether helpers are started for any work, however short, and waited for: what tests see does not depend on the clock then. */
    private readonly isEager = false,
    /** How many processors have been idle of late. */
    private readonly idle: () => number = () => Number.POSITIVE_INFINITY,
  ) {}

  begin(parts: number): HelpedWork | undefined {
    this.tell();
    const work = ++this.work;
    if (parts > MOST_PARTS || !runsAlike()) return undefined;
    this.letters.clear();
    this.claims.open(work, parts);
    const helped = { results: <R>(given: PartWork<R>): R[] => this.results(work, parts, given, helped), elsewhere: 0 };
    return helped;
  }

  private results<R>(work: number, parts: number, given: PartWork<R>, told: { elsewhere: number }): R[] {
    const { claims } = this;
    const begin = moment();
    const own = new Map(
      given.run({
        next: () => {
          for (let part = 0; part < parts; part++) if (claims.take(work, part)) return part;
          return -1;
        },
        look: (made, each) => {
          const free = claims.free(work, parts);
          if (!this.consider(begin, made, each, free) || !this.isEager) return;
          // Until a helper has taken a part or left.
          while (claims.free(work, parts) === free && !this.members.some(({ name }) => claims.hasLeft(name))) {
            claims.awaitMessage(claims.messages);
          }
        },
      }),
    );
    const others = Array.from({ length: parts }, (_, part) => part).filter((part) => !own.has(part));
    const theirs = this.resultsOfHelpers(work, others, given);
    for (const [part, found] of theirs) own.set(part, found as R);
    told.elsewhere = theirs.size;
    const left = others.filter((part) => !own.has(part));
    if (left.length > 0) {
      for (const [part, found] of given.run({ next: () => left.shift() ?? -1, look() {} })) own.set(part, found);
    }
    const results = Array.from({ length: parts }, (_, part) => own.get(part) as R);
    const takers = results.map((_, part) => claims.takerOf(part));
    this.ended = { results, takers };
    return results;
  }

  /** Starts helpers if they would come in time to do parts that this thread would only come to later; true if it has. */
  private consider(begin: Moment, made: number, each: number, free: number): boolean {
    if (this.isAlone || this.members.length > 0 || free === 0) return false;
    const since = sinceMoment(begin);
    const before = begin.time - this.began.time;
    if (!this.isEager && !isWorthHelp({ ...since, before, parts: made / each, free, idle: this.idle() })) return false;
    const count = Math.min(this.most, MOST_HELPERS, free);
    for (let name = 1; name <= count; name++) {
      this.members.push({ name, ...this.startHelper({ memory: this.memory, name, from: this.work }) });
    }
    return true;
  }

  /** What helpers have made of some parts. Of one that has come to another start of any of them nothing is taken. */
  private resultsOfHelpers<R>(work: number, parts: readonly number[], given: PartWork<R>): Map<number, unknown> {
    const letters = new Map<Member, PartMessage[]>();
    for (const part of parts) {
      const member = this.members.find(({ name }) => name === this.claims.takerOf(part));
      if (member === undefined) continue;
      const letter = this.letterOf(member, work, part);
      const start = given.startOf(part);
      if (letter === undefined || start === undefined || !areSame(letter.start, start)) this.dismiss(member);
      else letters.set(member, [...(letters.get(member) ?? []), letter]);
    }
    const found = new Map<number, unknown>();
    for (const [member, all] of letters) {
      if (!this.members.includes(member)) continue;
      for (const { part, result, advice } of all) {
        for (const message of advice) machine.run.warn(message);
        found.set(part, unpacked(result));
      }
    }
    return found;
  }

  /** Waits for the message of a helper, as long as that is at work. */
  private letterOf(member: Member, work: number, part: number): PartMessage | undefined {
    const { claims, letters } = this;
    const progress = machine.run.progress('waiting for another thread');
    let beat = claims.beatOf(member.name);
    let since = now();
    try {
      for (;;) {
        const known = claims.messages;
        const hasLeft = claims.hasLeft(member.name);
        this.collect(work);
        const letter = letters.get(part);
        if (letter !== undefined || hasLeft) return letter;
        if (claims.beatOf(member.name) !== beat) [beat, since] = [claims.beatOf(member.name), now()];
        if (now() - since > PATIENCE_MS) return undefined;
        claims.awaitMessage(known);
        // The user may want to end the run.
        progress.update(0, undefined);
      }
    } finally {
      progress.finish();
    }
  }

  private collect(work: number): void {
    for (const { post } of this.members) {
      for (let message = post.receive(); message !== undefined; message = post.receive()) {
        const letter = message as PartMessage;
        if (letter.work === work) this.letters.set(letter.part, letter);
      }
    }
  }

  private dismiss(member: Member): void {
    member.end();
    this.members.splice(this.members.indexOf(member), 1);
    this.isAlone = true;
  }

  /** Tells helpers what came of the work before, of which they know their own parts. Not before there is other work: few programs have more than one. */
  private tell(): void {
    const { ended } = this;
    if (ended === null) return;
    for (const { name, post } of this.members) {
      const others = ended.results.map((result, part) => (ended.takers[part] === name ? undefined : result));
      post.send({ work: this.work, results: packed(others) } satisfies EndMessage);
    }
    this.ended = null;
    this.claims.close(this.work);
  }
}

/** Not their bytes, in which a whole number may be written in two ways. */
const areSame = (a: Uint8Array, b: Uint8Array): boolean => sameValue(unpacked(a), unpacked(b));
