import { callApart } from '../v8/call-apart.ts';
import type { Address } from './address.ts';
import { WaymarkError } from './errors.ts';
import type { Handler } from './handler.ts';
import { type Machine, machine, runsDirectly, type Store, storeOf } from './machine.ts';
import { MemoLayer } from './memo.ts';
import type { ParameterTable } from './parameters.ts';
import { query } from './query.ts';
import type { RandomStream } from './random.ts';
import { outsideModels } from './refusal.ts';
import { isDirect, type RemainingCall } from './returning.ts';
import { abandon, OneByOne } from './signals.ts';

export { abandon, isSignal } from './signals.ts';

/** What `execute` returns for an execution that its handler gave up. */
export const abandoned: unique symbol = Symbol('abandoned');

/** Where the executions of one inference start: its address, and the store as it was when `Infer` was called. */
export class Entry {
  readonly address: Address = machine.address;
  private readonly store: Store = machine.store;
  private readonly memo: MemoLayer = machine.memo;
  private readonly stream: RandomStream = machine.stream;
  private readonly occurrence: number = machine.stream.occurrence();
  /** Where the last execution remembered things. */
  private layer: MemoLayer = new MemoLayer(this.memo);
  private returns = false;
  private hands = false;

  /**
   * `params` are the parameters the executions see, by default those of the caller. An inference that draws something finds something
   * else each time it is made; what an exact one finds, a step of an optimisation may keep.
   */
  constructor(
    private readonly params: ParameterTable = machine.params,
    isExact = false,
  ) {
    if (runsDirectly()) machine.outermost++;
    if (!isExact) machine.rerun?.obstruct('inference', 'an inference in it draws samples');
  }

  /** Of an inference that draws nothing. */
  static exact(): Entry {
    return new Entry(machine.params, true);
  }

  /** The random stream of the i-th execution (particle, sample, chain …), the same however they are run. */
  streamOf(i: number): RandomStream {
    return this.stream.child(this.occurrence, i);
  }

  /** Gives back the random streams of its executions: the inference is not run after all. */
  withdraw(): void {
    this.stream.retract();
  }

  /** Reserves random streams for so many more inferences at this place, which are run as one with it. */
  alsoFor(others: number): void {
    for (let k = 0; k < others; k++) this.stream.occurrence();
  }

  /** The same place with the random streams of the k-th inference that is run as one with this. */
  inference(k: number): Entry {
    const streamOf = (i: number): RandomStream => this.stream.child(this.occurrence + k, i);
    return Object.create(this, { streamOf: { value: streamOf } }) as Entry;
  }

  /** The same place with random streams of other executions, which have this name. */
  apart(name: string): Entry {
    return Object.create(this, { streamOf: { value: (i: number) => this.streamOf(i).named(name) } }) as Entry;
  }

  /** The key of the stream that those of its executions descend from, and what it reserved for them. */
  get descent(): { readonly key: readonly [number, number]; readonly occurrence: number } {
    return { key: this.stream.key, occurrence: this.occurrence };
  }

  /**
   * Executes the model once under the handler, from the start, or from what was left of an earlier execution. What it
   * writes to the store is gone afterwards, and whatever happens inside, the machine is as it was. Returns the model's
   * value, or `abandoned`.
   */
  execute<T>(
    handler: Handler,
    model: () => T,
    stream: RandomStream,
    from: RemainingCall | null = null,
  ): T | typeof abandoned {
    const outside = this.enter(handler);
    try {
      return this.again(handler, model, stream, from);
    } finally {
      outside.restore();
    }
  }

  /**
   * Runs `work`, which executes by `again`, as often as it likes: what all executions have in common is then set up
   * only once. Nothing of the program must run in between.
   */
  many<R>(handler: Handler, work: () => R): R {
    const { returns, hands } = this;
    const outside = this.enter(handler);
    try {
      return work();
    } finally {
      outside.restore();
      this.returns = returns;
      this.hands = hands;
    }
  }

  /** Like `execute`, within `many`. */
  again<T>(
    handler: Handler,
    model: () => T,
    stream: RandomStream,
    from: RemainingCall | null = null,
  ): T | typeof abandoned {
    const start = from === null ? this.address : from.address;
    machine.address = start;
    machine.top = this.returns && isDirect(model) ? start : null;
    machine.returns = false;
    machine.gaveUp = false;
    machine.call = null;
    machine.hands = this.hands;
    // A handler may have put another one in its place.
    machine.handler = handler;
    machine.stream = stream;
    machine.origin = stream;
    // A program that keeps no state never writes to its store.
    const store = from === null ? this.store : from.store;
    machine.store = machine.program.stateless ? store : storeOf(store);
    machine.preceding = from === null ? null : from.preceding;
    machine.memo = this.layer = this.layer.emptyOver(from === null ? this.memo : from.memo);
    machine.execution = ++machine.executions;
    try {
      let value: unknown = from === null ? callApart(model) : from.make();
      if (machine.gaveUp) return abandoned;
      if (machine.call !== null) value = proceed(handler);
      return (value === query ? query.table() : value) as T | typeof abandoned;
    } catch (thrown) {
      if (thrown === abandon) return abandoned;
      throw thrown;
    }
  }

  private enter(handler: Handler): Outside {
    if ((machine.lanes !== null && handler.inLanes !== true) || machine.columns !== null) {
      throw new OneByOne('inference', 'each has an inference of its own');
    }
    const outside = new Outside();
    // Inside another inference, parameters keep the names they have in it.
    if (outsideModels()) machine.base = this.address;
    machine.params = this.params;
    machine.lifted = handler.lifted === true;
    this.returns = handler.returns === true && handler.lifted !== true;
    this.hands = handler.hands === true && machine.program.stateless;
    return outside;
  }
}

/** The machine as it is outside the executions of an inference. */
class Outside {
  private readonly address: Machine['address'];
  private readonly base: Machine['base'];
  private readonly params: Machine['params'];
  private readonly handler: Machine['handler'];
  private readonly lifted: Machine['lifted'];
  private readonly lanes: Machine['lanes'];
  private readonly stream: Machine['stream'];
  private readonly origin: Machine['origin'];
  private readonly store: Machine['store'];
  private readonly memo: Machine['memo'];
  private readonly preceding: Machine['preceding'];
  private readonly execution: Machine['execution'];
  private readonly effects: Machine['effects'];
  private readonly hands: Machine['hands'];

  constructor() {
    this.address = machine.address;
    this.base = machine.base;
    this.params = machine.params;
    this.handler = machine.handler;
    this.lifted = machine.lifted;
    this.lanes = machine.lanes;
    this.stream = machine.stream;
    this.origin = machine.origin;
    this.store = machine.store;
    this.memo = machine.memo;
    this.preceding = machine.preceding;
    this.execution = machine.execution;
    this.effects = machine.effects;
    this.hands = machine.hands;
  }

  restore(): void {
    machine.address = this.address;
    machine.base = this.base;
    machine.params = this.params;
    machine.handler = this.handler;
    machine.lifted = this.lifted;
    machine.lanes = this.lanes;
    machine.stream = this.stream;
    machine.origin = this.origin;
    machine.store = this.store;
    machine.memo = this.memo;
    machine.preceding = this.preceding;
    machine.execution = this.execution;
    machine.effects = this.effects;
    machine.hands = this.hands;
    // The execution around has noticed that it is at the top.
    machine.top = null;
    machine.returns = false;
    machine.gaveUp = false;
  }
}

/** No execution of a real model makes as many calls in return position; one that does is caught in a loop. */
const ENDLESS = 1_000_000;

/** Makes the calls handed over, one after the other. */
function proceed(handler: Handler): unknown {
  for (let calls = 0; calls < ENDLESS; calls++) {
    const call = machine.call!;
    machine.call = null;
    machine.address = call.address;
    machine.top = call.address;
    if (!handler.reaches!(call)) return abandoned;
    const value = call.make();
    if (machine.gaveUp) return abandoned;
    if (machine.call === null) return value;
  }
  throw new WaymarkError(
    `${handler.name}: an execution made ${ENDLESS} calls in return position without ending. A function of the program ` +
      'seems to call itself for ever.',
  );
}
