/** What names of the library mean in a text besides the plain one: constants, or variables that are given their values later. */
import type { Owner } from './emission.ts';

export class Meanings {
  private readonly names: string[];
  private readonly values: string[];

  constructor(
    owner: Owner,
    /** Where the owner is found. */
    found: string,
    /** The function that says when it is there, or has become another; undefined if it is there from the start. */
    private readonly later: 'onGradients' | 'onReading' | undefined,
  ) {
    this.names = [owner];
    this.values = [found];
  }

  add(name: string, value: string): void {
    this.names.push(name);
    this.values.push(value);
  }

  text(): string {
    const pairs = this.names.map((name, i) => `${name} = ${this.values[i]}`);
    if (this.later === undefined) return pairs.map((pair) => `const ${pair};`).join(' ');
    return `var ${this.names.join(', ')}; $.${this.later}(() => { ${pairs.map((pair) => `${pair};`).join(' ')} });`;
  }
}
