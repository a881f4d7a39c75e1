import { closedLanes, currentLanes, type Lanes } from '../lanes/lanes.ts';
import { areRepeated, onceEach } from '../lanes/once-each.ts';
import { recording } from '../lanes/recording.ts';
import { changeable } from '../lanes/rerun.ts';
import { want } from '../lanes/wanted-leaves.ts';
import type { LaneParameters } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import { asLanes, gatherTo, mapNode } from '../tensor/lane-gather.ts';
import type { LaneSpace } from '../tensor/lane-space.ts';
import { constant } from '../tensor/leaves.ts';
import type { Data, Node } from '../tensor/node.ts';
import { gather, reshape, sliceAxis, stack } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** Parameters that are one leaf of the graph, in its precision: one by itself, or those of all lanes, along a first axis. */
interface LeafBlock {
  readonly names: readonly string[];
  /** As they were when the block was met: all of one shape. */
  readonly tensors: readonly Tensor[];
  readonly node: Node;
  /** Where later steps look at other data: which parameters are met then. */
  readonly changing?: ChangingNames;
}

/** Parameters that belong to the data of a minibatch. */
export type ChangingNames = Pick<LaneParameters, 'namesNow' | 'declare'>;

/** Parameters of which a step meets some alone: those of lanes that take a side of a conditional. */
export interface PartlyMet {
  readonly declare: LaneParameters['declare'];
  /** For each such side, the places in the block of the lanes that take it. */
  readonly places: Node[];
}

/** Numbers for names, the same for the same, counted from 0. */
function numbered(names: readonly string[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(names, (name) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  });
}

const SEVERAL_WAYS = 'data have parameters of their own in several ways';

/** The parameters of lanes, each once, and, where some have the same, which each lane has: lanes of several executions look at the same parameters. */
function distinct(
  { names, values, namesNow }: Pick<LaneParameters, 'names' | 'values' | 'namesNow'>,
  isChanging: boolean,
): { indices: Int32Array | null } & Pick<LaneParameters, 'names' | 'values' | 'namesNow'> {
  const indices = numbered(names);
  const count = 1 + indices.reduce((most, index) => Math.max(most, index), -1);
  // (A dream may look at one datum twice, and at others in each step.)
  if (isChanging) recording.current?.require(() => numbered(namesNow()).every((index, i) => index === indices[i]));
  if (count === names.length) return { indices: null, names, values, namesNow };
  const firsts = Array.from({ length: count }, (_, i) => indices.indexOf(i));
  const own = <T>(all: readonly T[]): T[] => firsts.map((lane) => all[lane]);
  return { indices, names: own(names), values: own(values), namesNow: () => own(namesNow()) };
}

interface Place {
  readonly block: LeafBlock;
  /** Which of the block's parameters it is, or −1 if it is the block. */
  readonly index: number;
}

/** The parameters met in one step, as leaves of the graph that gradients are taken with respect to. */
export class LeafTable {
  readonly blocks: LeafBlock[] = [];
  private readonly places = new Map<string, Place>();
  /** With open lanes: the sides of conditionals on which each block is met; null if it is met elsewhere too. */
  private readonly met = new Map<LeafBlock, Set<LaneSpace> | null>();

  /** For each block that is met on sides alone, the lanes of these. */
  get onSides(): ReadonlySet<LaneSpace>[] {
    return [...this.met.values()].filter((spaces) => spaces !== null);
  }

  /** Blocks with a parameter for each lane that are met on sides of conditionals; null if they are met elsewhere too. */
  private readonly partly = new Map<LeafBlock, PartlyMet | null>();

  partlyMet(block: LeafBlock): PartlyMet | undefined {
    return this.partly.get(block) ?? undefined;
  }

  has(name: string): boolean {
    return this.places.has(name);
  }

  private meet(block: LeafBlock): void {
    if (!recording.current?.isOpen) return;
    const space = currentLanes()?.space;
    if (!space?.isOpen) this.met.set(block, null);
    else if (!this.met.has(block)) this.met.set(block, new Set([space]));
    else this.met.get(block)?.add(space);
  }

  /** The parameter as the program sees it: a number if it was declared without dims. */
  leaf(name: string, tensor: Tensor, scalar: boolean): Node {
    const place = this.places.get(name) ?? this.single(name, tensor);
    const { block, index } = place;
    this.meet(block);
    const node = index < 0 ? block.node : sliceAxis(block.node, 0, index, index + 1);
    return reshape(node, scalar ? SCALAR : tensor.dims) as Node;
  }

  /** Parameters that the lanes have each their own of, as one value with a lane axis. */
  laneLeaf(parameters: LaneParameters, scalar: boolean, lanes: Lanes): Node {
    const { names, values } = parameters;
    if (lanes.space.isOpen) return this.openLeaf(parameters, scalar, lanes);
    const seen = this.inLanes(names, values, lanes, lanes.changing ? parameters : undefined);
    return scalar ? (reshape(seen, SCALAR) as Node) : seen;
  }

  /** The same on a side of a conditional: `parameters` are those of all lanes that may take it, some of which may have the same. */
  private openLeaf(parameters: LaneParameters, scalar: boolean, lanes: Lanes): Node {
    const closed = closedLanes(lanes);
    const { declare } = parameters;
    const { indices, names, values, namesNow } = distinct(parameters, closed.changing);
    const isKnown = names.some((name) => this.places.has(name));
    const changing = closed.changing ? { namesNow, declare } : undefined;
    const block = isKnown ? this.places.get(names[0])?.block : this.stacked(names, values, changing);
    if (block === undefined || block.names.length < names.length || block.names.some((name, i) => name !== names[i])) {
      throw new OneByOne('parameters', SEVERAL_WAYS);
    }
    if ((block.changing === undefined) !== (changing === undefined)) this.obstruct();
    const places =
      indices === null
        ? mapNode(lanes.space, closed.space)
        : gatherTo(constant(indices, SCALAR, closed.space), lanes.space);
    if (!isKnown) this.partly.set(block, { declare, places: [places] });
    else this.partly.get(block)?.places.push(places);
    const seen = gather(block.node, places) as Node;
    return scalar ? (reshape(seen, SCALAR) as Node) : seen;
  }

  get leaves(): Node[] {
    return this.blocks.map(({ node }) => node);
  }

  /** Lanes that stand for one iteration, as values that are tried do, have what belongs to it once. */
  private inLanes(
    names: readonly string[],
    tensors: readonly Tensor[],
    { space, iterations }: Lanes,
    changing: ChangingNames | undefined,
  ): Node {
    const times = iterations === null ? 1 : space.size / iterations.size;
    if (iterations === null || !areRepeated(names, times)) return this.inSpace(names, tensors, space, changing);
    const later = changing && {
      namesNow: () => onceEach(changing.namesNow(), times),
      declare: (name: string) => changing.declare(name),
    };
    return this.inSpace(onceEach(names, times), onceEach(tensors, times), iterations, later);
  }

  private inSpace(
    names: readonly string[],
    tensors: readonly Tensor[],
    space: LaneSpace,
    changing: ChangingNames | undefined,
  ): Node {
    const all = { names, values: tensors, namesNow: () => changing?.namesNow() ?? names };
    const { indices, names: own, values, namesNow } = distinct(all, changing !== undefined);
    if (indices === null) return this.ownInLanes(names, tensors, space, changing);
    const later = changing && { namesNow, declare: (name: string) => changing.declare(name) };
    return gather(this.ownInLanes(own, values, null, later), constant(indices, SCALAR, space)) as Node;
  }

  /** Different parameters as one value with a lane axis, or, without lanes, as the rows of a table. */
  private ownInLanes(
    names: readonly string[],
    tensors: readonly Tensor[],
    space: LaneSpace | null,
    changing?: ChangingNames,
  ): Node {
    const seen = (table: Node): Node => (space === null ? table : asLanes(table, space));
    const places = names.map((name) => this.places.get(name));
    if (places.every((place) => place === undefined)) return seen(this.stacked(names, tensors, changing).node);
    // Lanes that part meet some of the parameters that were met together before.
    const block = places[0]?.block;
    if (block !== undefined && places.every((place) => place?.block === block && place.index >= 0)) {
      if (this.partly.has(block)) this.partly.set(block, null);
      if ((block.changing === undefined) !== (changing === undefined)) this.obstruct();
      const indices = Int32Array.from(places as Place[], ({ index }) => index);
      if (indices.length === block.names.length && indices.every((index, i) => index === i)) {
        return seen(block.node);
      }
      const at = space === null ? constant(indices, [indices.length]) : constant(indices, SCALAR, space);
      return gather(block.node, at) as Node;
    }
    if (changing !== undefined) this.obstruct();
    const table = stack(names.map((name, i) => this.leaf(name, tensors[i], false))) as Node;
    return seen(table);
  }

  private obstruct(): void {
    recording.current?.obstruct('parameters', `${SEVERAL_WAYS}, and each step looks at other data`);
  }

  private single(name: string, tensor: Tensor): Place {
    const place = { block: this.add([name], [tensor], tensor.data as Data, tensor.dims), index: -1 };
    this.places.set(name, place);
    return place;
  }

  private stacked(names: readonly string[], tensors: readonly Tensor[], changing?: ChangingNames): LeafBlock {
    const { length, dims } = tensors[0];
    const data = new Float64Array(length * tensors.length);
    tensors.forEach((tensor, i) => {
      data.set(tensor.data, i * length);
    });
    const block = this.add(names, tensors, data, [tensors.length, ...dims], changing);
    names.forEach((name, index) => {
      this.places.set(name, { block, index });
    });
    return block;
  }

  private add(
    names: readonly string[],
    tensors: readonly Tensor[],
    data: Data,
    dims: readonly number[],
    changing?: ChangingNames,
  ): LeafBlock {
    const fixed = constant(machine.declaresSingle ? Float32Array.from(data) : data, dims);
    const block = { names, tensors, node: want(recording.current === null ? fixed : changeable(fixed)), changing };
    this.blocks.push(block);
    return block;
  }
}
