/** The outputs of heads, as a graph: the log of guide over prior at the values that were chosen. */
import { constant } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { type Inputs, part } from './graph-inputs.ts';
import { LIST_FEATURES, listLengthOf, type NetworkSizes, SPREAD, strength } from './sizes.ts';

/** Log of guide over prior, for each row of a head. */
export function headLogs(
  head: string,
  output: Node,
  inputs: Inputs,
  { components }: NetworkSizes,
  count: number,
  pointed: Node | null,
): Node {
  if (head.startsWith('finite')) return listLogs(head, output, inputs, count, pointed);
  if (head === 'real') return realLogs(output, inputs, components, count);
  const { mean, spread, shares } = mixtureOf(ops.inDoublePrecision(output) as Node, components, 'f64');
  const standard = (name: string): Node =>
    ops.mul(ops.sub(inputs.of(`${head} ${name}`, [count, 1], 'f64'), mean), ops.exp(ops.neg(spread) as Node)) as Node;
  const [a, b] = [standard('lower'), standard('upper')];
  const flipped = ops.gt(a, 0) as Node;
  const low = ops.select(flipped, ops.neg(b) as Node, a) as Node;
  const high = ops.select(flipped, ops.neg(a) as Node, b) as Node;
  const mass = ops.sub(ops.normalCdf(high) as Node, ops.normalCdf(low) as Node) as Node;
  const chance = ops.sum(ops.mul(ops.exp(shares) as Node, mass) as Node, 1) as Node;
  return ops.sub(ops.log(ops.max(chance, 1e-280) as Node), inputs.of('whole log', [count], 'f64')) as Node;
}

/** The mixture that the output of a head stands for: means, log standard deviations and log-shares. */
export function mixtureOf(
  output: Node,
  components: number,
  dtype: 'f32' | 'f64',
): { mean: Node; spread: Node; shares: Node } {
  const [means, spreads, logits] = [0, 1, 2].map((k) => part(output, k, components));
  const strengths = Float64Array.from({ length: components }, (_, k) => strength(k, components));
  const scale = constant(dtype === 'f64' ? strengths : Float32Array.from(strengths), [1, components]);
  return {
    mean: ops.mul(means, scale) as Node,
    spread: ops.mul(ops.tanh(ops.div(ops.mul(spreads, scale) as Node, SPREAD) as Node), SPREAD) as Node,
    shares: ops.logSoftmax(logits, 1) as Node,
  };
}

function realLogs(output: Node, inputs: Inputs, components: number, count: number): Node {
  const { mean, spread, shares } = mixtureOf(output, components, 'f32');
  const z = ops.mul(ops.sub(inputs.of('real u', [count, 1]), mean), ops.exp(ops.neg(spread) as Node)) as Node;
  const logs = ops.sub(ops.sub(shares, spread), ops.mul(0.5, ops.square(z) as Node)) as Node;
  return ops.inDoublePrecision(
    ops.add(ops.logsumexp(logs, 1) as Node, inputs.of('real offset', [count])) as Node,
  ) as Node;
}

function listLogs(head: string, output: Node, inputs: Inputs, count: number, pointed: Node | null): Node {
  const length = listLengthOf(head);
  const scores = part(output, 0, length);
  const own = pointed === null ? scores : (ops.add(scores, pointed) as Node);
  const bent = Array.from({ length: LIST_FEATURES }, (_, f) =>
    ops.mul(
      inputs.of(`${head} list ${f}`, [count, length]),
      ops.sliceAxis(output, 1, length + f, length + f + 1) as Node,
    ),
  ).reduce((sum, term) => ops.add(sum, term) as Node) as Node;
  const logits = ops.add(ops.add(own, bent), inputs.of(`${head} logs`, [count, length])) as Node;
  const chosen = ops.mul(ops.logSoftmax(logits, 1) as Node, inputs.of(`${head} chosen`, [count, length])) as Node;
  return ops.sub(
    ops.inDoublePrecision(ops.sum(chosen, 1) as Node) as Node,
    inputs.of(`${head} log`, [count], 'f64'),
  ) as Node;
}
