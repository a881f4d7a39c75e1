/** The option `dumpGraph`: the dependency graph of an execution (appendix B of the paper), as text that can be drawn. */
import type { Lanes } from '../lanes/lanes.ts';
import { placeOf } from '../runtime/places.ts';
import type { ChoiceEvent, FactorEvent, Strand } from './record.ts';
import { WrittenFile } from './written-file.ts';

interface DependencyGraph {
  /** What each node is. */
  readonly labels: readonly string[];
  /** From a node to one that may depend on it. */
  readonly edges: readonly (readonly [from: number, to: number])[];
}

function dependencyGraph(root: Strand): DependencyGraph {
  const labels: string[] = [];
  const edges: [number, number][] = [];
  const node = (label: string, parents: readonly number[]): number => {
    labels.push(label);
    for (const parent of parents) edges.push([parent, labels.length - 1]);
    return labels.length - 1;
  };
  /** Follows a strand from a node on, as one lane of it sees it; returns its last node. */
  const follow = (strand: Strand, from: number, lane: number): number => {
    let previous = from;
    for (const event of strand.events) {
      if (event.kind !== 'pass') {
        previous = node(labelOf(event), [previous]);
        continue;
      }
      const split = node('split', [previous]);
      const ends = event.items.flatMap((item) => lanesWithin(item.lanes, lane).map((own) => follow(item, split, own)));
      previous = node('join', ends.length === 0 ? [split] : ends);
    }
    return previous;
  };
  follow(root, node('root', []), 0);
  return { labels, edges };
}

/** The lanes of an item that belong to a lane of what is around it; an item without lanes is one itself. */
function lanesWithin(lanes: Lanes | undefined, outer: number): number[] {
  if (lanes === undefined) return [outer];
  const all = Array.from({ length: lanes.size }, (_, lane) => lane);
  const { around } = lanes;
  return around === null ? all : all.filter((lane) => around[lane] === outer);
}

function labelOf(event: ChoiceEvent | FactorEvent): string {
  const what = whatIs(event);
  const place = placeOf(event.address);
  return place === undefined ? what : `${what}, ${place}`;
}

function whatIs(event: ChoiceEvent | FactorEvent): string {
  if (event.kind === 'choice') return event.target.name;
  return event.observed === undefined ? 'factor' : `${event.observed.distribution.name} observed`;
}

/** As Graphviz reads it. */
function toDot({ labels, edges }: DependencyGraph): string {
  const nodes = labels.map((label, i) => `  n${i} [label=${JSON.stringify(label)}];`);
  const arrows = edges.map(([from, to]) => `  n${from} -> n${to};`);
  return ['digraph dependencies {', ...nodes, ...arrows, '}', ''].join('\n');
}

/** As Mermaid reads it. */
function toMermaid({ labels, edges }: DependencyGraph): string {
  const nodes = labels.map((label, i) => `  n${i}["${label.replaceAll('"', '#quot;')}"]`);
  const arrows = edges.map(([from, to]) => `  n${from} --> n${to}`);
  return ['flowchart TD', ...nodes, ...arrows, ''].join('\n');
}

/** WebPPL's name for the file. */
const STANDARD_FILE = 'deps.dot';

/** Writes the graph of an execution to a file, in the form that its ending asks for. */
export function dumpGraph(root: Strand, file: string | true): void {
  const name = file === true ? STANDARD_FILE : file;
  const graph = dependencyGraph(root);
  const text = /\.(mmd|md|mermaid)$/.test(name) ? toMermaid(graph) : toDot(graph);
  new WrittenFile('dumpGraph', name).write(text);
}
