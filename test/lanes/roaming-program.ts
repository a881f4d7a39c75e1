/** Random programs that make objects, know them by several names, and change them under any. */
import { Dice } from './column-program.ts';

class Writer {
  private readonly dice: Dice;
  private names = 0;
  private objects: string[] = [];
  private lists: string[] = [];
  private depth = 0;

  constructor(number: number) {
    this.dice = new Dice(number * 2654435761 + 4711);
    for (let i = 0; i < 5; i++) this.dice.below(2);
  }

  program(options: string): string {
    const lines = [this.made(), this.made(), this.madeList(), ...this.lines(9)];
    const fields = this.objects.map((o) => `${o}.n, ${o}.m, ${o}.inner.x, ${o}.seen.length, ...${o}.seen`);
    return `
      import { factor, flip, Gaussian, gaussian, Infer, map, observe, randomInteger, sum } from 'waymark';
      interface Thing { n: number; m: number; inner: { x: number }; seen: number[] }
      const bump = (thing: Thing, by: number) => { thing.n += by; if (thing.n > 1) { thing.m++; } return thing; };
      const fresh = (n: number): Thing => ({ n, m: 0, inner: { x: n }, seen: [] });
      const note = (seen: number[], x: number) => { seen.push(x); };
      export default Infer({ ${options}, model() {
        ${lines.join('\n        ')}
        return [${fields.join(', ')}, ${this.lists.map((list) => `...${list}.map((o) => o.n)`).join(', ')}];
      } });`;
  }

  /** A model to be optimised, for data or by itself. */
  model(isOfData: boolean): string {
    const lines = [this.made(), this.made(), this.madeList(), ...this.lines(9)];
    const body = lines.join('\n        ').replace(/: Thing(\[\])? =/g, ' =');
    const fields = this.objects.map((o) => `${o}.n + ${o}.m + ${o}.inner.x + ${o}.seen.length + sum(${o}.seen)`);
    const lists = this.lists.map((list) => `sum(${list}.map((o) => o.n))`);
    const all = `${body}
        factor(-Math.abs(${[...fields, ...lists].join(' + ')} - y) / 20);`;
    return `
      const gaussian = () => sample(Gaussian({ mu: 0, sigma: 1 }), { guide: Gaussian({ mu: param({ name: 'm' }) + 0.2, sigma: 0.8 }) });
      const flip = () => sample(Bernoulli({ p: 0.5 }), { guide: Bernoulli({ p: sigmoid(param({ name: 'p' })) }) });
      const randomInteger = (n) => sample(Discrete({ ps: mapN(() => 1 / n, n) }), { guide: Discrete({ ps: softmax(param({ name: 'k' + n, dims: [n, 1] })) }) });
      const bump = (thing, by) => { thing.n += by; if (thing.n > 1) { thing.m++; } return thing; };
      const fresh = (n) => ({ n, m: 0, inner: { x: n }, seen: [] });
      const note = (seen, x) => { seen.push(x); };
      const body = (y) => {
        ${all}
      };
      const model = () => { ${isOfData ? 'mapData({ data: [0.3, -1.2, 2.5, 0.1, 1.7] }, body);' : 'body(0.4);'} };
      model`;
  }

  private name(letter: string): string {
    this.names++;
    return `${letter}${this.names}`;
  }

  private made(): string {
    const name = this.name('o');
    const text = this.dice.pick([
      `fresh(${this.number()})`,
      `{ n: ${this.number()}, m: 1, inner: { x: 0 }, seen: [] }`,
    ]);
    this.objects.push(name);
    return `const ${name}: Thing = ${text};`;
  }

  private madeList(): string {
    const name = this.name('list');
    const items = [this.object(), this.object(), this.dice.pick([this.object(), `fresh(2)`])];
    this.lists.push(name);
    return `const ${name}: Thing[] = [${items.join(', ')}];`;
  }

  private lines(count: number): string[] {
    return Array.from({ length: count }, () => this.line());
  }

  private line(): string {
    const kind = this.dice.below(this.depth < 2 ? 15 : 12);
    const o = this.object();
    switch (kind) {
      case 0:
        return `${o}.n += ${this.number()};`;
      case 1:
        return `${o}.m = ${this.number()};`;
      case 2:
        return `bump(${o}, ${this.number()});`;
      case 3:
        return `${o}.inner.x -= ${this.number()};`;
      case 4:
        return `${this.item()}.n++;`;
      case 5:
        return `bump(${this.item()}, ${this.number()}).m += 2;`;
      case 6:
        return `note(${this.dice.pick([o, this.item()])}.seen, ${this.number()});`;
      case 7:
        return `observe(Gaussian({ mu: ${o}.n, sigma: 3 }), ${this.dice.below(3)});`;
      case 8:
        return `${o}.inner = ${this.dice.pick([`{ x: ${this.number()} }`, `${this.object()}.inner`])};`;
      case 9:
        return `for (const one of ${this.dice.pick(this.lists)}) { one.n = one.n / 2 + ${this.truth()} * 1; }`.replace(
          /\+ (.*) \* 1/,
          '+ (($1) ? 1 : 0)',
        );
      case 10:
        return `if (${o} === ${this.dice.pick([this.object(), this.item()])}) { ${o}.m += 10; }`;
      case 11:
        return `factor(-Math.abs(${this.item()}.m) / 5);`;
      case 12:
        return this.named();
      case 13: {
        const [then, otherwise] = [this.inside(), this.inside()];
        return `if (${this.truth()}) { ${then} } else { ${otherwise} }`;
      }
      default: {
        const turn = this.inside();
        return `for (let i = 0; i < 1 + randomInteger(2); i++) { ${turn} }`;
      }
    }
  }

  /** Another name for what has one. */
  private named(): string {
    const name = this.name('o');
    const text = this.dice.pick([
      `${this.truth()} ? ${this.object()} : ${this.object()}`,
      `${this.truth()} ? fresh(1) : ${this.object()}`,
      this.item(),
      `${this.dice.pick(this.lists)}.reduce((best, one) => (one.n > best.n ? one : best))`,
      `{ ...${this.object()}, m: 3 }`,
      `${this.truth()} ? { n: 1, m: 2, inner: { x: 1 }, seen: [] } : { n: 3, m: 4, inner: { x: 2 }, seen: [7] }`,
    ]);
    this.objects.push(name);
    return `const ${name}: Thing = ${text};`;
  }

  /** Statements on a side, whose names end there. */
  private inside(): string {
    const { objects, lists } = this;
    [this.objects, this.lists] = [[...objects], [...lists]];
    this.depth++;
    const lines = this.lines(1 + this.dice.below(3));
    this.depth--;
    [this.objects, this.lists] = [objects, lists];
    return lines.join(' ');
  }

  private object(): string {
    return this.dice.pick(this.objects);
  }

  private item(): string {
    const index = this.dice.pick(['0', 'randomInteger(3)', 'randomInteger(2)', '2']);
    return `${this.dice.pick(this.lists)}[${index}]`;
  }

  private number(): string {
    return this.dice.pick(['1', '2', 'gaussian(0, 1)', 'randomInteger(3)', `${this.objects[0] ?? '({ n: 1 })'}.n`]);
  }

  private truth(): string {
    return this.dice.pick(['flip(0.5)', 'gaussian(0, 1) > 0', `${this.object()}.n > 0`, `${this.object()}.m > 1`]);
  }
}

/** A program, by its number. */
export const roamingProgram = (number: number, options: string): string => new Writer(number).program(options);

/** A model to be optimised, by its number: it does the same for each datum, or for all. */
export const roamingModel = (number: number, isOfData: boolean): string => new Writer(number).model(isOfData);
