/**
 * Small functions at the head of each program's own text. V8 keeps what it learns about the types of operands per
 * source text, so a helper shared between programs would be slowed by the first program that gives it a tensor.
 */
import { ARITHMETIC } from '../operator-names.ts';

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
