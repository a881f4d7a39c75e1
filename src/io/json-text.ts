/** JSON files, with the line and column of what is wrong in them, and tensors. */
import { WaymarkError } from '../runtime/errors.ts';
import { Tensor } from '../tensor/tensor.ts';

/** The value of a JSON text: that of a file, or of one of its lines. Objects `{dims, data}` whose sizes agree become tensors. */
export function parseJson(caller: string, name: string, text: string, ofLine?: number): unknown {
  try {
    return JSON.parse(text, (_, value) => revived(value));
  } catch (error) {
    if (error instanceof RangeError) throw new WaymarkError(`${caller}: '${name}' is nested too deep to be read.`);
    if (!(error instanceof SyntaxError)) throw error;
    const at = firstFault(text);
    const before = text.slice(0, at);
    const line = ofLine ?? before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    const found =
      at >= text.length
        ? `the ${ofLine === undefined ? 'file' : 'line'} ends too early`
        : `${JSON.stringify(text[at])} is not expected here`;
    throw new WaymarkError(`${caller}: '${name}' is not valid JSON: line ${line}, column ${column}: ${found}.`);
  }
}

function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { dims, data } = value as { dims?: unknown; data?: unknown };
  if (!Array.isArray(dims) || !Array.isArray(data)) return value;
  const size = dims.reduce(
    (product: number, d: unknown) => product * (Number.isInteger(d) ? (d as number) : Number.NaN),
    1,
  );
  if (size !== data.length || !data.every((x) => typeof x === 'number')) return value;
  return new Tensor(dims as number[], Float64Array.from(data as number[]));
}

/** Where a text stops being JSON. Hosts say so in different words or not at all, so it is looked for again. */
function firstFault(text: string): number {
  let at = 0;
  /** What the enclosing objects and arrays are waiting for, innermost last. */
  const open: ('object' | 'array')[] = [];
  const token =
    /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;
  let expected: 'value' | 'value or ]' | 'name or }' | 'name' | 'colon' | 'comma' | 'end' = 'value';
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    const start = at + (/^\s*/.exec(text.slice(at)) as RegExpExecArray)[0].length;
    if (match === null) return start;
    const [, mark, string, scalar] = match;
    const isValue = string !== undefined || scalar !== undefined;
    const after = (): typeof expected => (open.length === 0 ? 'end' : 'comma');
    if (expected === 'value' || expected === 'value or ]') {
      if (isValue) expected = after();
      else if (mark === '{') {
        open.push('object');
        expected = 'name or }';
      } else if (mark === '[') {
        open.push('array');
        expected = 'value or ]';
      } else if (mark === ']' && expected === 'value or ]') {
        open.pop();
        expected = after();
      } else return start;
    } else if (expected === 'name' || expected === 'name or }') {
      if (string !== undefined) expected = 'colon';
      else if (mark === '}' && expected === 'name or }') {
        open.pop();
        expected = after();
      } else return start;
    } else if (expected === 'colon') {
      if (mark !== ':') return start;
      expected = 'value';
    } else if (expected === 'comma') {
      const inObject = open[open.length - 1] === 'object';
      if (mark === ',') expected = inObject ? 'name' : 'value';
      else if (mark === (inObject ? '}' : ']')) {
        open.pop();
        expected = after();
      } else return start;
    } else return start;
    at = token.lastIndex;
  }
}
