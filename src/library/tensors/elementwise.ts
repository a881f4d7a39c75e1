/** Functions of each entry of a tensor. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { combine } from '../../tensor/broadcast.ts';
import { sigmoid as sigmoidOf } from '../../tensor/special/exponentials.ts';
import { logGamma as logGammaOf } from '../../tensor/special/gamma.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { checkTensor, misfit } from './operands.ts';

type Unary = (tensor: Tensor) => Tensor;
export interface Binary {
  (number: number, operand: Tensor): Tensor;
  // (The last is what methods of tensors are made of.)
  (tensor: Tensor, operand: Tensor | number): Tensor;
}

function unary(name: string, f: (x: number) => number): Unary {
  return (tensor) => {
    checkTensor(name, tensor);
    const { data } = tensor;
    const result = new Float64Array(data.length);
    for (let i = 0; i < result.length; i++) result[i] = f(data[i]);
    return new Tensor(tensor.dims, result);
  };
}

/** Of a tensor and a number, of a number and a tensor, or of two tensors entry by entry (`tensor/broadcast.ts`). */
function binary(name: string, f: (x: number, y: number) => number): Binary {
  return function apply(tensor: Tensor | number, operand: Tensor | number): Tensor {
    if (typeof tensor === 'number' && operand instanceof Tensor) {
      return apply(new Tensor(operand.dims, new Float64Array(operand.length).fill(tensor)), operand);
    }
    checkTensor(name, tensor);
    if (typeof operand === 'number') {
      const { data } = tensor;
      const result = new Float64Array(data.length);
      for (let i = 0; i < result.length; i++) result[i] = f(data[i], operand);
      return new Tensor(tensor.dims, result);
    }
    const combined = operand instanceof Tensor ? combine(tensor, operand, f) : null;
    if (combined === null) throw new WaymarkError(misfit(name, tensor.dims, describe(operand)));
    return combined;
  };
}

export const neg = unary('neg', (x) => -x);
export const floor = unary('floor', Math.floor);
export const ceil = unary('ceil', Math.ceil);
export const round = unary('round', Math.round);
export const sqrt = unary('sqrt', Math.sqrt);
export const exp = unary('exp', Math.exp);
export const log = unary('log', Math.log);
export const abs = unary('abs', Math.abs);
export const sin = unary('sin', Math.sin);
export const cos = unary('cos', Math.cos);
export const tan = unary('tan', Math.tan);
export const asin = unary('asin', Math.asin);
export const acos = unary('acos', Math.acos);
export const atan = unary('atan', Math.atan);
export const sinh = unary('sinh', Math.sinh);
export const cosh = unary('cosh', Math.cosh);
export const tanh = unary('tanh', Math.tanh);
export const asinh = unary('asinh', Math.asinh);
export const acosh = unary('acosh', Math.acosh);
export const atanh = unary('atanh', Math.atanh);
export const sigmoid = unary('sigmoid', sigmoidOf);
export const logGamma = unary('logGamma', logGammaOf);
/** 1 for an entry that is NaN, 0 for any other. */
export const areNaN = unary('isNaN', (x) => (Number.isNaN(x) ? 1 : 0));
/** 1 for an entry that is finite, 0 for any other. */
export const areFinite = unary('isFinite', (x) => (Number.isFinite(x) ? 1 : 0));

export const add = binary('add', (x, y) => x + y);
export const sub = binary('sub', (x, y) => x - y);
export const mul = binary('mul', (x, y) => x * y);
export const div = binary('div', (x, y) => x / y);
export const pow = binary('pow', (x, y) => x ** y);
export const min = binary('min', Math.min);
export const max = binary('max', Math.max);
export const atan2 = binary('atan2', Math.atan2);
