/**
 * Small functions at the head of each program's own text. V8 keeps what it learns about the types of operands per
 * source text, so a helper shared between programs would be slowed by the first program that gives it a tensor.
 */
import { ARITHMETIC } from '../operator-names.ts';

/** Comparisons that tell objects apart, of which the runtime is told. */
const EQUALITIES: { readonly [operator: string]: string } = { '===': 'is', '!==': 'isNot', '==': 'eq', '!=': 'ne' };

const bothNumbers = "typeof a === 'number' && typeof b === 'number'";

const UNARY: { readonly [name: string]: string } = {
  neg: "function $neg(a) { return typeof a === 'number' ? -a : $.neg(a); }",
  inc: "function $inc(a) { return typeof a === 'number' ? a + 1 : $.inc(a); }",
  dec: "function $dec(a) { return typeof a === 'number' ? a - 1 : $.dec(a); }",
  numeric: "function $numeric(a) { return typeof a === 'number' ? a : $.numeric(a); }",
};

export class Prelude {
  private readonly functions = new Map<string, string>();

  /** The helper for a binary operator, or undefined if the operator is left to JavaScript. */
  binary(operator: string): string | undefined {
    const name = ARITHMETIC[operator];
    if (name === undefined) return undefined;
    const text = `function $${name}(a, b) { return ${bothNumbers} ? a ${operator} b : $.${name}(a, b); }`;
    this.functions.set(name, text);
    return `$${name}`;
  }

  /** The helper for a comparison of what may be two objects, or undefined of other operators. */
  equality(operator: string): string | undefined {
    const name = EQUALITIES[operator];
    if (name === undefined) return undefined;
    const bothObjects = "typeof a === 'object' && typeof b === 'object'";
    this.functions.set(
      name,
      `function $${name}(a, b) { if (${bothObjects}) $.compared(a, b); return a ${operator} b; }`,
    );
    return `$${name}`;
  }

  unary(name: 'neg' | 'inc' | 'dec' | 'numeric'): string {
    this.functions.set(name, UNARY[name]);
    return `$${name}`;
  }

  /** The helper for a function of `Math` with so many arguments: of numbers it is JavaScript's own. */
  math(name: string, count: 1 | 2): string {
    const helper = `$Math_${name}`;
    const [given, plain] = count === 1 ? ['a', "typeof a === 'number'"] : ['a, b', bothNumbers];
    this.functions.set(
      `Math.${name}`,
      `function ${helper}(${given}) { return ${plain} ? Math.${name}(${given}) : $.math.${name}(${given}); }`,
    );
    return helper;
  }

  text(): string {
    return [...this.functions.values()].join('\n');
  }
}
