/**
 * Draws that a plan makes by the family's own function, lane by lane, each from the lane's stream at the lane's choice. That
 * is needed for families whose draws take no fixed number of random numbers, such as counts, where the parameters are
 * computed in the same step.
 */
import { expandTo } from './elementwise/record.ts';
import { type Attributes, type Kernel, kernelOp, Node, type Operand } from './node.ts';
import { SCALAR, sizeOf } from './shape.ts';
import { Tensor } from './tensor.ts';

/** Draws one number, for parameters in a fixed order, from the stream with this key at this choice. */
export type DrawOne = (params: readonly (number | Tensor)[], key0: number, key1: number, choice: number) => number;

interface DrawAttributes extends Attributes {
  readonly draw: DrawOne;
}

/** A parameter of one lane. */
function ownOf({ data, dims, lanes }: Operand, lane: number): number | Tensor {
  const shape = lanes ? dims.slice(1) : dims;
  if (shape.length === 0) return data[lanes ? lane : 0];
  const size = sizeOf(shape);
  const from = lanes ? lane * size : 0;
  return new Tensor(shape, Float64Array.from(data.subarray(from, from + size)));
}

const drawKernel: Kernel = (out, [choice, map, key0, key1, ...params], attributes) => {
  const { draw } = attributes as DrawAttributes;
  for (let lane = 0; lane < out.data.length; lane++) {
    const from = map.data[lane];
    const own = params.map((param) => ownOf(param, lane));
    out.data[lane] = draw(own, key0.data[from], key1.data[from], choice.data[lane]);
  }
};

/** (choice, map, key, key, parameters) → for each lane what it draws. */
export const LANE_DRAW = kernelOp('laneDraw', drawKernel);

/** A number for each lane of the space of `choice`; keys are those of the lanes that `map` names, `name` tells one way to draw from another. */
export function laneDrawAt(
  name: string,
  draw: DrawOne,
  [choice, map, key0, key1]: readonly [Node, Node, Node, Node],
  params: readonly Node[],
): Node {
  const { space } = choice;
  const attributes: DrawAttributes = { key: name, draw };
  const given = params.map((param) => expandTo(param, param.shape, space, 'f64'));
  return new Node(LANE_DRAW, [choice, map, key0, key1, ...given], attributes, SCALAR, 'f64', space);
}
