/**
 * What is needed to run a recorded step again without the program: the leaves of its graph that change from step to step,
 * and how to find their values then. A leaf whose value cannot be found is an obstacle, and the program is run in every
 * step.
 */
import type { RandomStream } from '../runtime/random.ts';
import type { Reason, ReasonCode } from '../runtime/reasons.ts';
import { PlacedReason } from '../runtime/signals.ts';
import { expandTo } from '../tensor/elementwise/record.ts';
import type { LaneSpace } from '../tensor/lane-space.ts';
import { constant, input, leafOf, toNode } from '../tensor/leaves.ts';
import { CONSTANT, type Data, type Node, type Value } from '../tensor/node.ts';
import { add, div, eq, gt, not, select, sumLanes } from '../tensor/ops.ts';
import type { RunInput } from '../tensor/plan/compile.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Guard } from './recordings/recording.ts';
import { type NoiseKind, StreamForest } from './stream-forest.ts';

/** For each lane, which choice it is at and the place of its stream; and the two words of the keys of streams. */
export type Choices = readonly [choice: Node, stream: Node, key0: Node, key1: Node];

interface ChangingLeaf {
  readonly node: Node;
  /** Its value in the step at hand. */
  value(): RunInput;
}

/** Lanes whose data change from step to step. */
interface ReindexedLanes {
  readonly indices: Int32Array;
  version: number;
  readonly streams: { readonly all: readonly RandomStream[] };
}

export class Rerun {
  readonly leaves: ChangingLeaf[] = [];
  /** Why the program must run in every step, if it must. */
  obstacle: Reason | null = null;
  /** Streams of the recorded executions and their stand-ins, whose roots are given the keys of the step at hand. */
  private readonly replicas = new Map<RandomStream, RandomStream>();
  private readonly roots: RandomStream[] = [];
  /** For each root, which of the step's executions draws from it. */
  private readonly executions: number[] = [];
  private readonly forest = new StreamForest();
  private readonly requirements: (() => boolean)[] = [];
  private readonly reindexing: { lanes: ReindexedLanes; indices: () => Int32Array }[] = [];

  /** The k-th execution of the step begins, drawing from this stream. */
  execution(root: RandomStream, k: number): void {
    const standIn = root.again();
    this.roots.push(standIn);
    this.executions.push(k);
    this.replicas.set(root, standIn);
    this.forest.root(root);
  }

  /** The k-th execution of the step at hand draws from this stream. */
  begin(roots: (k: number) => RandomStream): void {
    for (const replica of this.replicas.values()) replica.forgetKey();
    this.roots.forEach((root, i) => {
      root.adopt(roots(this.executions[i]));
    });
    for (const { lanes, indices } of this.reindexing) this.reindex(lanes, indices());
    this.forest.begin(this.roots);
  }

  /** Lanes that look at other data in each step: `indices` says at which. */
  reindexed(lanes: ReindexedLanes, indices: () => Int32Array): void {
    this.reindexing.push({ lanes, indices });
  }

  private reindex(lanes: ReindexedLanes, indices: Int32Array): void {
    lanes.indices.set(indices);
    lanes.version++;
    lanes.streams.all.forEach((stream, lane) => {
      this.replicas.get(stream)?.restart(indices[lane]);
      this.forest.restart(stream, indices[lane]);
    });
  }

  changing(node: Node, value: () => RunInput): void {
    this.leaves.push({ node, value });
  }

  /** How later steps find the value of a leaf; undefined of all other nodes. */
  laterOf(node: Node): (() => RunInput) | undefined {
    const leaf = this.leaves.find((one) => one.node === node);
    return leaf && (() => leaf.value());
  }

  /** A leaf with numbers drawn from streams at their current choice, some for each: `draw` writes them to `into`. */
  noise(
    node: Node,
    streams: readonly RandomStream[],
    draw: (random: RandomStream, into: Data, from: number) => void,
    each: number,
  ): void {
    const places = streams.map((stream) => ({ stream: stream.replica(this.replicas), choice: stream.position }));
    const into = (
      node.dtype === 'f64' ? new Float64Array(places.length * each) : new Float32Array(places.length * each)
    ) as Data;
    const single = node.space === null && node.shape.length === 0;
    this.changing(node, () => {
      for (let i = 0; i < places.length; i++) draw(places[i].stream.goTo(places[i].choice), into, i * each);
      return single ? into[0] : into;
    });
  }

  /** A leaf with plain noise, so many numbers for each of some streams at their current choice. */
  plainNoise(node: Node, kind: NoiseKind, streams: readonly RandomStream[], each: number): void {
    // A single number is not read from a buffer.
    const single = node.space === null && node.shape.length === 0;
    const numbers = single ? undefined : this.forest.noise(kind, streams, each);
    if (numbers !== undefined) this.changing(node, numbers);
    else {
      this.noise(
        node,
        streams,
        (random, into, from) => {
          for (let i = 0; i < each; i++) into[from + i] = random[kind]();
        },
        each,
      );
    }
  }

  /** A fact about the data of a step that the recording relies on. */
  require(holds: () => boolean): void {
    this.requirements.push(holds);
  }

  /** Whether it may be that a step does not fit, or looks at other data. */
  get hasRequirements(): boolean {
    return this.requirements.length > 0 || this.reindexing.length > 0;
  }

  /** Whether the data of the step at hand are as the recording needs them. */
  fits(): boolean {
    return this.requirements.every((holds) => holds());
  }

  /** How many of the guards are values that the program has looked at. The others are sides that no lane takes. */
  looks = 0;

  /** Whether the program has decided by a value outside all lanes that may be another in later steps. */
  looksOutside = false;

  /** Values that the program decided something by, and what they were. */
  readonly guards: Guard[] = [];

  constructor(
    /** Whether values may be looked at, because later steps check that they are the same. */
    private readonly guarding = false,
    /** Whether the lanes on sides of conditionals are open: others may take them in later steps. */
    readonly isOpen = false,
  ) {}

  /** Later steps check that there are lanes in some of these spaces. */
  takenIn(spaces: Iterable<LaneSpace>): void {
    let count: Value = 0;
    for (const space of spaces) count = add(count, sumLanes(expandTo(toNode(1), SCALAR, space)));
    this.guards.push({ node: gt(count, 0) as Node, expected: Float64Array.of(1) });
  }

  /** Later steps check that no lane takes a side that was not recorded. */
  notTaken(condition: Node, which: boolean): void {
    const node = sumLanes(select(condition, which ? 1 : 0, which ? 0 : 1) as Node);
    this.guards.push({ node, expected: Float64Array.of(0) });
  }

  /** The choice that a stream outside lanes is at, in later steps under other roots. */
  choiceOf(stream: RandomStream): Choices {
    const replica = stream.replica(this.replicas);
    const word = (which: 0 | 1): Node => {
      const node = changeable(leafOf(stream.key[which]) as Node);
      this.changing(node, () => replica.key[which]);
      return node;
    };
    return [toNode(stream.position), toNode(0), word(0), word(1)];
  }

  private readonly keys = new Map<readonly RandomStream[], readonly [Node, Node]>();

  /** The keys of the streams of lanes, as leaves. */
  keysOf(streams: readonly RandomStream[], space: LaneSpace): readonly [Node, Node] {
    let nodes = this.keys.get(streams);
    if (nodes === undefined) {
      const now = this.forest.keys(streams);
      const leaf = (word: 0 | 1): Node => {
        const node = changeable(
          constant(
            Int32Array.from(streams, ({ key }) => key[word]),
            SCALAR,
            space,
          ),
        );
        const replicas = now === undefined ? streams.map((stream) => stream.replica(this.replicas)) : [];
        this.changing(
          node,
          now === undefined ? () => Int32Array.from(replicas, ({ key }) => key[word]) : () => now(word),
        );
        return node;
      };
      nodes = [leaf(0), leaf(1)];
      this.keys.set(streams, nodes);
    }
    return nodes;
  }

  /**
   * Notes that the program has decided by a value. Later steps decide alike if the value depends only on leaves
   * that never change, or if it becomes a guard. Only truth values and whole numbers become guards: other numbers
   * are never the same twice.
   */
  lookedAt(node: Node): void {
    if (node.space === null) this.looksOutside ||= this.changes(node);
    if (this.obstacle !== null || !this.changes(node) || this.guards.some((guard) => guard.node === node)) return;
    const expected = node.elements();
    if (node.space?.isOpen) {
      const [first] = expected;
      if (
        this.guarding &&
        node.shape.length === 0 &&
        Number.isInteger(first) &&
        expected.every((one) => Object.is(one, first))
      )
        this.notTaken(not(isExactly(node, first)) as Node, true);
      else this.obstruct('courses', 'the program looks at a value of iterations that take a side');
      return;
    }
    if (this.guarding && expected.every(Number.isInteger)) {
      this.guards.push({ node, expected: expected.slice() });
      this.looks++;
    } else this.obstruct('courses', 'the program looks at a value');
  }

  private readonly known = new Map<Node, boolean>();

  /** Whether later steps may find another value: all leaves that change are inputs. */
  changes(node: Node): boolean {
    const known = this.known.get(node);
    if (known !== undefined) return known;
    // In order of need, since graphs may be deeper than the stack.
    const waiting = [node];
    while (waiting.length > 0) {
      const at = waiting[waiting.length - 1];
      const open = this.known.has(at) ? undefined : at.inputs.find((input) => !this.known.has(input));
      if (open !== undefined) waiting.push(open);
      else {
        if (!this.known.has(at)) {
          this.known.set(at, at.op.kind === 'leaf' ? at.op !== CONSTANT : at.inputs.some((of) => this.known.get(of)));
        }
        waiting.pop();
      }
    }
    return this.known.get(node)!;
  }

  obstruct(code: ReasonCode, text: string): void {
    this.obstacle ??= new PlacedReason(code, text);
  }
}

/** Whether the number is this one: −0 is not 0. */
const isExactly = (node: Node, number: number): Node =>
  (number === 0 && node.dtype !== 'bool' ? eq(div(1, node), 1 / number) : eq(node, number)) as Node;

/** A leaf whose value will change, in place of one whose value is fixed: nothing may be concluded from its value. */
export function changeable(node: Node): Node {
  const leaf = input(node.shape, node.dtype, node.space);
  leaf.data = node.data;
  return leaf;
}
