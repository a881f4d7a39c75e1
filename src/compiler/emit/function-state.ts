/** One function of the program, while it is written. */
import type { Function as FunctionNode } from 'acorn';
import type { Scope } from '../analyse/scope.ts';

/** A function whose calls of itself in return position are turns of a loop. */
export interface TailLoop {
  readonly node: FunctionNode;
  /** Whether each turn has variables of its own. */
  readonly keeps: boolean;
  /** Whether it draws anew in each turn until it accepts: see `analyse/rejection-loops.ts`. */
  readonly rejects: boolean;
  /** If so, what the parameters of the next turn are handed over in. */
  readonly nexts: readonly string[];
}

/** What is known of the function being emitted. */
export class FunctionState {
  /** The address that calls extend: `$a`, or that of the innermost loop's iteration. */
  base = '$a';
  /** Addressed calls emitted so far, not counting those of functions inside. */
  calls = 0;
  /** Calls without an address that may change the machine's. */
  moving = 0;
  /** Whether the text asks if the function is at the top: see `returns.ts`. */
  asksForTop = false;
  /** How many call sites this text of the function has numbered so far, by their place in the source. */
  private numbered = new Map<number, number>();
  private inUse = 0;
  private most = 0;
  /** The function, where calls of it by itself in return position are turns of a loop: see `tail-loops.ts`. */
  loop: TailLoop | null = null;
  /** The function, where its calls of itself draw anew and executions run side by side. */
  rounds: FunctionNode | null = null;
  /** The function, and whether its calls may be returned by others: see `rounds.ts`. */
  node: FunctionNode | null = null;
  isInRound = false;
  /** Whether turns of that loop have addresses of their own. */
  moves = false;
  /** The scope of the function, and the function around it. */
  home: Scope | undefined;
  outer: FunctionState | null = null;
  /** The constant that holds in which execution it was called, if that is asked for. */
  private asked = '';

  /** Where the function begins, if it is called by host code outside any inference: host code writes no addresses. */
  entrance = '';

  constructor(
    /** Whether the function may return something to the runtime in place of its value; never inside `try`. */
    public returns = false,
  ) {}

  /** Grows with each call after which the machine has another address. */
  get changes(): number {
    return this.calls + this.moving;
  }

  take(): string {
    this.inUse++;
    this.most = Math.max(this.most, this.inUse);
    return `$t${this.inUse}`;
  }

  release(count: number): void {
    this.inUse -= count;
  }

  /** The constant that holds in which execution the function was called. */
  execution(): string {
    if (this.asked === '') {
      let depth = 0;
      for (let { outer } = this; outer !== null; outer = outer.outer) depth++;
      this.asked = `$x${depth}`;
    }
    return this.asked;
  }

  /** Begins another text of the same function, whose call sites are those of the first. */
  again(): void {
    this.numbered = new Map();
  }

  /** How many sites at this place were numbered before. */
  countSite(offset: number): number {
    const count = this.numbered.get(offset) ?? 0;
    this.numbered.set(offset, count + 1);
    return count;
  }

  /** The declarations the body must start with. */
  prologue(): string {
    let address = this.calls > 0 ? `${this.moves ? 'let' : 'const'} $a = ${this.entrance}$m.address;` : '';
    if (this.asked !== '') address += `const ${this.asked} = $m.execution;`;
    if (this.asksForTop) address += 'const $r = $a === $m.top; if ($r) $m.top = null;';
    if (this.isInRound) address += 'const $b = $m.bounced; $m.bounced = false;';
    if (this.most === 0) return address;
    const names = Array.from({ length: this.most }, (_, i) => `$t${i + 1}`);
    return `${address}let ${names.join(', ')};`;
  }
}
