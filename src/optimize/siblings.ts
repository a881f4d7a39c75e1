/**
 * What leave-one-out subtracts from the weight of a choice: the mean, over all other executions of the step, of the cost of
 * all that may depend on the same choice there. Of an execution that does not make the choice it is the cost from the
 * start of the innermost datum around it that the execution has, or of the whole execution.
 *
 * So what is subtracted depends on the address of the choice and on the other executions alone, and on nothing that comes after
 * the choice, which is what keeps the estimate unbiased. (A mean over lanes that went the same way would not do: they are
 * a group because of what came later.)
 */
import type { Lanes } from '../lanes/lanes.ts';
import type { Address } from '../runtime/address.ts';
import { expandTo } from '../tensor/elementwise/record.ts';
import { asLanes, fromLanes, scatterTo } from '../tensor/lane-gather.ts';
import { LaneSpace } from '../tensor/lane-space.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import type { Node, Value } from '../tensor/node.ts';
import { add, concat, div, gather, max, mul, reshape, stopGradient, sub, sum, weigh } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { laneWeights } from './lane-weights.ts';
import type { ChoiceEvent, PassEvent, Strand } from './record.ts';
import type { Weights } from './weights.ts';

/**
 * A place that all executions of a step may have: for each of those that do, the rows of a table with its cost. There are
 * several where values of choices are tried side by side.
 */
type Rows = Map<number, number[]>;

/** A choice, with the data around it, innermost last. */
interface Occurrences {
  readonly number: number;
  readonly rows: Rows;
  readonly around: readonly Rows[];
}

/** The data that a strand is in, innermost last; rows for each lane of theirs. */
interface Joins {
  readonly lanes: Lanes | undefined;
  readonly rows: readonly Rows[];
  readonly outer: Joins | null;
}

export class Siblings {
  private readonly choices = new Map<Address, Occurrences>();
  private readonly joins = new Map<Address, Rows>();
  private readonly root: Rows = new Map();
  private readonly parts: Node[] = [];
  /** How much each row counts. */
  private readonly counts: Node[] = [];
  private rows = 0;
  private found: { readonly pairs: Node; readonly sums: Node } | null = null;

  /** Of the strands of a step, and their weights. */
  constructor(
    strands: readonly Strand[],
    weights: readonly Weights[],
    /** How many executions there are. */
    private readonly count: number,
  ) {
    if (!strands.some(hasSiblings)) return;
    strands.forEach((strand, k) => {
      const { lanes } = strand;
      const offset = this.addRows(weights[k].total, lanes, laneWeights(strand)?.execution);
      each(lanes, (lane) => note(this.root, executionOf(lanes, lane, k), offset + lane));
    });
    strands.forEach((strand, k) => {
      this.visit(strand, k, weights[k], null, laneWeights(strand)?.execution ?? 1);
    });
  }

  /** The baselines of a choice, one for each lane. */
  of(choice: ChoiceEvent, lanes: Lanes | undefined, strand: number): Value {
    this.found ??= this.find();
    const { pairs, sums } = this.found;
    const size = lanes?.size ?? 1;
    const numbers = new Int32Array(size);
    const own = new Int32Array(size);
    each(lanes, (lane) => {
      numbers[lane] = this.choices.get(addressOf(choice.address, lanes, lane))!.number;
      own[lane] = numbers[lane] * this.count + executionOf(lanes, lane, strand);
    });
    const at = (table: Node, places: Int32Array): Value =>
      gather(table, constant(places, SCALAR, lanes?.space)) as Value;
    return div(sub(at(sums, numbers), at(pairs, own)), this.count - 1);
  }

  /** For each choice the cost in each execution, one after the other, and their sum. */
  private find(): { pairs: Node; sums: Node } {
    const { count, choices } = this;
    const rows: number[][] = [];
    for (const { number, rows: own, around } of choices.values()) {
      for (let k = 0; k < count; k++) {
        rows[number * count + k] = [own, ...around, this.root].find((place) => place.has(k))!.get(k)!;
      }
    }
    const pairs = this.means(rows);
    return { pairs, sums: sum(reshape(pairs, [choices.size, count]) as Node, [1]) as Node };
  }

  /** The mean cost of some rows of the table each, as much as they count. */
  private means(rows: readonly (readonly number[])[]): Node {
    const table = stopGradient(concat(this.parts) as Node) as Node;
    const at = (of: Node, places: readonly number[]): Node =>
      gather(of, constant(Int32Array.from(places), [places.length])) as Node;
    const flat = rows.flat();
    if (flat.length === rows.length) return at(table, flat);
    const counts = stopGradient(at(concat(this.counts) as Node, flat)) as Node;
    const means = new LaneSpace(rows.length);
    const owner = Int32Array.from(rows.flatMap((own, i) => own.map(() => i)));
    const space = new LaneSpace(flat.length, means, owner);
    const total = (quantity: Value): Node => fromLanes(scatterTo(asLanes(quantity as Node, space), means));
    return div(total(weigh(counts, at(table, flat))), max(total(counts), TINY)) as Node;
  }

  private visit(
    strand: Strand,
    k: number,
    weights: Weights,
    joins: Joins | null,
    counts: Value,
    lanes = strand.lanes,
  ): void {
    for (const event of strand.events) {
      if (event.kind === 'choice') {
        if (event.rule.baseline === 'siblings') this.addChoice(event, lanes, k, weights, joins, counts);
      } else if (event.kind === 'pass' && hasSiblings({ events: [event] })) {
        for (const item of event.items) {
          const inner = laneWeights(item) === undefined ? counts : mul(counts, laneWeights(item)!.execution);
          const own = this.joinsOf(event, item, lanes, k, weights, joins, inner);
          this.visit(item, k, weights, own, inner, item.lanes ?? lanes);
        }
      }
    }
  }

  private addChoice(
    choice: ChoiceEvent,
    lanes: Lanes | undefined,
    k: number,
    weights: Weights,
    joins: Joins | null,
    counts: Value,
  ): void {
    const offset = this.addRows(weights.byChoice.get(choice)!, lanes, counts);
    each(lanes, (lane) => {
      const address = addressOf(choice.address, lanes, lane);
      let known = this.choices.get(address);
      if (known === undefined) {
        known = { number: this.choices.size, rows: new Map(), around: aroundOf(joins, lanes, lane) };
        this.choices.set(address, known);
      }
      note(known.rows, executionOf(lanes, lane, k), offset + lane);
    });
  }

  /** The data around what is in an item of a pass. */
  private joinsOf(
    pass: PassEvent,
    item: Strand,
    lanes: Lanes | undefined,
    k: number,
    weights: Weights,
    outer: Joins | null,
    counts: Value,
  ): Joins | null {
    const isDatum = item.datum !== undefined || item.lanes?.kind === 'iterations';
    if (pass.ordered || !isDatum) return outer;
    const own = item.lanes ?? lanes;
    const { cost, after } = weights.joins.get(item)!;
    const offset = this.addRows(add(cost, after), own, counts);
    const rows: Rows[] = [];
    each(own, (lane) => {
      const path = own?.path(lane) ?? [];
      const around = item.lanes === undefined ? path : path.slice(0, -1);
      const datum = item.datum ?? path[path.length - 1];
      const address = pass.address.inLane(around).index(datum);
      let known = this.joins.get(address);
      if (known === undefined) {
        known = new Map();
        this.joins.set(address, known);
      }
      note(known, executionOf(own, lane, k), offset + lane);
      rows.push(known);
    });
    return { lanes: own, rows, outer };
  }

  /** Adds a quantity to the table, one for each lane; says where it begins. */
  private addRows(value: Value, lanes: Lanes | undefined, counts: Value = 1): number {
    const rowsOf = (quantity: Value): Node =>
      lanes === undefined
        ? (reshape(toNode(quantity), [1]) as Node)
        : fromLanes(expandTo(toNode(quantity), SCALAR, lanes.space));
    this.parts.push(rowsOf(value));
    this.counts.push(rowsOf(counts));
    const offset = this.rows;
    this.rows += lanes?.size ?? 1;
    return offset;
  }
}

function hasSiblings(strand: Strand): boolean {
  return strand.events.some(
    (event) =>
      (event.kind === 'choice' && event.rule.baseline === 'siblings') ||
      (event.kind === 'pass' && event.items.some(hasSiblings)),
  );
}

function note(rows: Rows, execution: number, row: number): void {
  const known = rows.get(execution);
  if (known === undefined) rows.set(execution, [row]);
  else known.push(row);
}

/** Where nothing counts, the mean is 0. */
const TINY = 1e-300;

function each(lanes: Lanes | undefined, see: (lane: number) => void): void {
  for (let lane = 0; lane < (lanes?.size ?? 1); lane++) see(lane);
}

const executionOf = (lanes: Lanes | undefined, lane: number, strand: number): number =>
  lanes?.execution(lane) ?? strand;

const addressOf = (address: Address, lanes: Lanes | undefined, lane: number): Address =>
  lanes === undefined ? address : address.inLane(lanes.path(lane));

/** The data around a lane, innermost first. */
function aroundOf(joins: Joins | null, lanes: Lanes | undefined, lane: number): Rows[] {
  const around: Rows[] = [];
  for (let at = joins; at !== null; at = at.outer) {
    const map = at.lanes === undefined || at.lanes === lanes ? null : lanes!.mapTo(at.lanes.space);
    const place = at.lanes === undefined ? 0 : map === null ? lane : map[lane];
    around.push(at.rows[place]);
  }
  return around;
}
