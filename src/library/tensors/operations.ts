import { Tensor } from '../../tensor/tensor.ts';
import * as axes from './axes.ts';
import * as elementwise from './elementwise.ts';
import * as entries from './entries.ts';
import * as linearAlgebra from './linear-algebra.ts';

const { areNaN, areFinite, ...functions } = elementwise;

const { checkAxis: _checkAxis, ...functionsOfAxes } = axes;

/** Functions of tensors, under WebPPL's names: `T.add(a, b)`, `T.dot(a, b)`, `T.get(v, i)`. */
export const T = {
  ...functions,
  isNaN: areNaN,
  isFinite: areFinite,
  ...linearAlgebra,
  ...entries,
  ...functionsOfAxes,
  __Tensor: Tensor,
};
