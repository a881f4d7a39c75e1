/** Plans for graphs that are evaluated on demand. They are found again by structure. */

import { engineMode } from '../mode.ts';
import { type Data, type Node, RESIDENT } from '../node.ts';
import type { WasmDevice } from '../wasm/device.ts';
import type { ResidentBuffer } from '../wasm/resident.ts';
import type { PlanInput } from './given-inputs.ts';
import { programOf } from './program.ts';
import { withShortRows } from './short-rows.ts';
import { codeOf, forgetAttributes, hasCode, type Structure, structureOf } from './structure.ts';
import { withoutUnitAxes } from './unit-axes.ts';
import { WasmPlan } from './wasm-plan.ts';

interface Entry {
  readonly code: Int32Array;
  readonly hash: number;
  readonly plan: WasmPlan;
  /** For each space of the plan's program, its number in the structure. */
  readonly spaces: readonly number[];
  /** The runs of the cache up to the last use, for dropping the least recently used. */
  used: number;
}

const MOST_PLANS = 512;
/** Structures without a plan; their hashes are remembered, to count how often they come. */
const MOST_SIGHTINGS = 4096;
/** Making a plan takes as long as evaluating the graph several times, more for longer graphs: so a graph gets one only when it comes again. */
const NODES_PER_SIGHTING = 300;
/** From this many elements on, making a plan pays even if it is used only once, unless they are spread thin. */
const WORTH_PLANNING = 20_000;
const ELEMENTS_PER_NODE = 500;
/** The same where it will mostly be used again. */
const WORTH_A_PLAN_BY_SIZE = 2_000;

export class PlanCache {
  private readonly entries = new Map<number, Entry[]>();
  private readonly sightings = new Map<number, number>();
  private readonly glances = new Set<number>();
  private count = 0;
  private clock = 0;

  constructor(private readonly device: WasmDevice) {}

  /**
   * Computes `roots`, whose graph has the given order, with so many elements in all but scalars; false if a plan does not
   * pay yet.
   */
  evaluate(roots: readonly Node[], order: readonly Node[], elements: number): boolean {
    if (engineMode.bySize && elements < WORTH_A_PLAN_BY_SIZE) return false;
    // From so many elements on there is a plan at first sight.
    const large = elements >= Math.max(WORTH_PLANNING, ELEMENTS_PER_NODE * order.length);
    if (!engineMode.bySize && !large && this.isNew(order)) return false;
    const structure = structureOf(order, roots);
    let entry = this.find(structure);
    if (entry === null) {
      if (!engineMode.bySize && !large && !this.returned(structure, order.length)) return false;
      entry = this.plan(structure, roots);
    }
    entry.used = ++this.clock;
    const inputs = structure.leaves.map(inputOf);
    const sizes = entry.spaces.map((number) => structure.spaces[number].size);
    const values = entry.plan.run(inputs, sizes);
    roots.forEach((root, i) => {
      root.data = values[i];
    });
    return true;
  }

  /** Forgets all plans, and every graph that was met. */
  clear(): void {
    for (const list of this.entries.values()) for (const { plan } of list) plan.release();
    this.entries.clear();
    this.sightings.clear();
    this.glances.clear();
    this.count = 0;
    this.clock = 0;
    // Only plans of this cache keep the sequences of their graphs.
    forgetAttributes();
  }

  /** Whether no graph like this was met before, judged by a quick look. Programs may make a new one each time. */
  private isNew(order: readonly Node[]): boolean {
    const glance = glanceAt(order);
    if (this.glances.has(glance)) return false;
    if (this.glances.size >= MOST_SIGHTINGS) this.glances.clear();
    this.glances.add(glance);
    return true;
  }

  /** Whether a structure was met so often that it will probably come again. */
  private returned({ hash }: Structure, nodes: number): boolean {
    // The first time, only its hash was noted.
    const before = this.sightings.get(hash) ?? 1;
    if (before >= 1 + Math.floor(nodes / NODES_PER_SIGHTING)) {
      this.sightings.delete(hash);
      return true;
    }
    if (this.sightings.size >= MOST_SIGHTINGS) this.sightings.clear();
    this.sightings.set(hash, before + 1);
    return false;
  }

  private plan(structure: Structure, roots: readonly Node[]): Entry {
    const code = codeOf(structure);
    const program = withoutUnitAxes(withShortRows(programOf(roots, structure.leaves)));
    const plan = new WasmPlan(this.device, program);
    const spaces = program.spaces.map((space) => structure.spaces.indexOf(space));
    const entry = { code, hash: structure.hash, plan, spaces, used: this.clock };
    this.insert(entry);
    return entry;
  }

  private find(structure: Structure): Entry | null {
    const list = this.entries.get(structure.hash);
    return list?.find((entry) => hasCode(structure, entry.code)) ?? null;
  }

  private insert(entry: Entry): void {
    if (this.count >= MOST_PLANS) this.dropOldest();
    const list = this.entries.get(entry.hash);
    if (list === undefined) this.entries.set(entry.hash, [entry]);
    else list.push(entry);
    this.count++;
  }

  /** Drops the half that was not used for longest, so that this happens rarely. */
  private dropOldest(): void {
    const all = [...this.entries.values()].flat().sort((a, b) => a.used - b.used);
    for (const entry of all.slice(0, all.length >> 1)) {
      entry.plan.release();
      const list = (this.entries.get(entry.hash) as Entry[]).filter((other) => other !== entry);
      if (list.length === 0) this.entries.delete(entry.hash);
      else this.entries.set(entry.hash, list);
      this.count--;
    }
  }
}

/** A hash: the same for graphs of equal structure, and mostly different for others. */
function glanceAt(order: readonly Node[]): number {
  let hash = order.length;
  for (let i = 0; i < order.length; i++) {
    const { op, inputs, data, shape } = order[i];
    const kind = data === null ? op.id + 512 * inputs.length : -1;
    hash = (Math.imul(hash, 0x01000193) ^ (kind + 4096 * shape.length)) | 0;
  }
  return hash;
}

function inputOf(leaf: Node): PlanInput {
  if (leaf.op === RESIDENT && leaf.data === null) return leaf.attributes as unknown as ResidentBuffer;
  if (leaf.data === null) throw new Error('An input has no value of its own: evaluate it through a plan.');
  return leaf.data as number | Data;
}
