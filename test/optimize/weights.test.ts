import { describe, expect, test } from 'vitest';
import type { ChoiceEvent, RecordedEvent, Strand } from '../../src/optimize/record.ts';
import { pathwise } from '../../src/optimize/sites/pathwise.ts';
import { scoreFunction } from '../../src/optimize/sites/score-function.ts';
import { globalWeights, localWeights } from '../../src/optimize/weights.ts';
import { Address } from '../../src/runtime/address.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { runProgram } from './run-optimize.ts';

const address = Address.root();
const nowhere = undefined as never;

/** Whole numbers, so that sums are exact in any order. */
let last = 1;
function next(): number {
  last = (last * 7) % 101;
  return last;
}
const choice = (isPathwise = false): ChoiceEvent => ({
  kind: 'choice',
  address,
  target: nowhere,
  guide: nowhere,
  value: nowhere,
  logTarget: -next(),
  logGuide: -next(),
  rule: isPathwise ? pathwise : scoreFunction,
  automatic: false,
});
const factor = (): RecordedEvent => ({ kind: 'factor', address, score: -next() });
const pass = (scale: number, ...items: RecordedEvent[][]): RecordedEvent => ({
  kind: 'pass',
  address,
  scale,
  items: items.map((events, datum) => ({ datum, events })),
});
const strand = (...events: RecordedEvent[]): Strand => ({ events });

/** A node of the graph that appendix B builds while the program runs. */
interface GraphNode {
  event: RecordedEvent | null;
  parents: GraphNode[];
  /** The items of data passes that it is in, each with the number of data it stands for. */
  inside: readonly { item: Strand; scale: number }[];
}

/** The construction of appendix B, word for word. */
function graphOf(root: Strand): GraphNode[] {
  const nodes: GraphNode[] = [];
  const node = (event: RecordedEvent | null, parents: GraphNode[], inside: GraphNode['inside']): GraphNode => {
    const made = { event, parents, inside };
    nodes.push(made);
    return made;
  };
  let prev = node(null, [], []);
  const run = (events: readonly RecordedEvent[], inside: GraphNode['inside']): void => {
    for (const event of events) {
      if (event.kind !== 'pass') {
        prev = node(event, [prev], inside);
        continue;
      }
      const split = node(null, [prev], inside);
      const parents: GraphNode[] = [];
      for (const item of event.items) {
        prev = split;
        run(item.events, [...inside, { item, scale: event.scale }]);
        parents.push(prev);
      }
      prev = node(null, parents.length === 0 ? [split] : parents, inside);
    }
  };
  run(root.events, []);
  return nodes;
}

const costOf = (event: RecordedEvent | null): number => {
  if (event === null || event.kind === 'pass') return 0;
  if (event.kind === 'factor') return -(event.score as number);
  return (event.logGuide as number) - (event.logTarget as number);
};

/** How many of its kind a node stands for, seen from inside some items. */
const multiplicity = (node: GraphNode, from: GraphNode['inside']): number =>
  node.inside
    .filter(({ item }) => !from.some((shared) => shared.item === item))
    .reduce((product, { scale }) => product * scale, 1);

/** The weight of a choice by its definition: the cost of everything that can be reached from it. */
function weightByDefinition(nodes: readonly GraphNode[], start: GraphNode): number {
  const reached = new Set([start]);
  // Nodes are in order of creation, so parents come first.
  for (const node of nodes) if (node.parents.some((parent) => reached.has(parent))) reached.add(node);
  let weight = 0;
  for (const node of reached) weight += costOf(node.event) * multiplicity(node, start.inside);
  return weight;
}

const STRANDS: Record<string, () => Strand> = {
  'a line': () => strand(choice(), factor(), choice(), choice(true), factor()),
  'data passes': () => strand(choice(), pass(1, [choice(), factor()], [choice(), choice()], []), choice(), factor()),
  'nested passes': () =>
    strand(
      choice(),
      pass(1, [choice(), pass(1, [choice(), factor()], [factor()]), choice()], [choice(true), pass(1, [choice()])]),
      pass(1, [choice(), factor()], [choice()]),
      choice(),
    ),
  'an empty pass': () => strand(choice(), pass(1), factor(), choice()),
  'a minibatch': () => strand(choice(), pass(3, [choice(), factor()], [choice()]), factor(), choice()),
  'nested minibatches': () =>
    strand(choice(), pass(2, [choice(), pass(4, [choice(), factor()], [factor()]), choice()]), choice()),
};

describe('local weights', () => {
  test.each(Object.entries(STRANDS))('%s: as appendix B defines them on the graph', (_name, make) => {
    const root = make();
    const nodes = graphOf(root);
    const { byChoice, total } = localWeights(root);
    let checked = 0;
    for (const node of nodes) {
      if (node.event?.kind !== 'choice' || !node.event.rule.weighed) continue;
      expect(byChoice.get(node.event)).toBe(weightByDefinition(nodes, node));
      checked++;
    }
    expect(byChoice.size).toBe(checked);
    expect(total).toBe(nodes.reduce((sum, node) => sum + multiplicity(node, []) * costOf(node.event), 0));
  });

  test('random strands', () => {
    const random = RandomStream.fromSeed(3).begin();
    const some = (depth: number): RecordedEvent[] =>
      Array.from({ length: random.integer(4) }, () => {
        const kind = random.integer(depth > 0 ? 4 : 3);
        if (kind === 3)
          return pass(2 ** random.integer(3), ...Array.from({ length: random.integer(4) }, () => some(depth - 1)));
        return kind === 0 ? factor() : choice(kind === 1);
      });
    for (let i = 0; i < 200; i++) {
      const root = strand(...some(3));
      const nodes = graphOf(root);
      const { byChoice } = localWeights(root);
      for (const node of nodes) {
        if (node.event?.kind !== 'choice' || !node.event.rule.weighed) continue;
        expect(byChoice.get(node.event)).toBe(weightByDefinition(nodes, node));
      }
    }
  });
});

describe('global weights', () => {
  test('are the cost of everything, where no data are left out', () => {
    const root = STRANDS['nested passes']();
    const { byChoice, total } = globalWeights(root);
    expect(byChoice.size).toBeGreaterThan(0);
    for (const weight of byChoice.values()) expect(weight).toBe(total);
  });

  test('count a datum of a minibatch once, and the others as often as they stand for', () => {
    const [first, second, end] = [choice(), choice(), choice()];
    const { byChoice } = globalWeights(strand(pass(3, [first], [second]), end));
    expect(byChoice.get(first)).toBe(costOf(first) + 3 * costOf(second) + costOf(end));
    expect(byChoice.get(end)).toBe(3 * costOf(first) + 3 * costOf(second) + costOf(end));
  });
});

test('debugWeights tells of them', async () => {
  const { warnings } = await runProgram(`var model = function() {
      var a = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: 0.5})});
      mapData({data: [1, 2]}, function(y) {
        var b = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: 0.5})});
        factor(y);
      });
    };
    Optimize(model, {steps: 2, checkGradients: false, gradients: 'paper', estimator: {ELBO: {debugWeights: true}}})`);
  // Guides are the targets, so that weights are those of the factors alone.
  expect(warnings.slice(0, -1).map((line) => line.replace(/ \(address \S+\)/, ''))).toEqual(
    [0, 1].flatMap((step) => [
      `Step ${step}: the choice at program.wppl:2:15 has the weight -3.`,
      `Step ${step}: the choice at program.wppl:4:17 has the weight -1.5 on average over 2 data, from -2 to -1.`,
    ]),
  );
});
