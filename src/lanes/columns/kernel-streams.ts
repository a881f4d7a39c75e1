/** Loops over random streams, four at once, with a block of random words of each. */
import {
  type Expression,
  type FunctionBuilder,
  I32,
  type Local,
  type ModuleBuilder,
  type ValueType,
} from '../../tensor/wasm/assembler.ts';
import { i32, i32x4, v128 } from '../../tensor/wasm/instructions.ts';
import { philox } from '../../tensor/wasm/philox.ts';

/** Words of streams: their address, which goes on from four streams to the next unless all have the same. */
export class Row {
  private readonly at: Local;
  private readonly span: Expression;

  constructor(b: FunctionBuilder, parameter: number) {
    this.at = b.let(I32, b.parameter(parameter));
    this.span = b.parameter(parameter + 1);
  }

  get four(): Expression {
    return v128.load([this.at.get]);
  }

  /** That of one of the four, by its distance in bytes. */
  one(lane: Expression): Expression {
    return i32.load([i32.add(this.at.get, lane)]);
  }

  advance(): void {
    this.at.set(i32.add(this.at.get, this.span));
  }
}

/** What a loop does with a block of each of four streams, and what it returns. */
interface Body {
  /** Which blocks, where these are not the first ones; then all four words of each are made. */
  readonly block?: Expression;
  four(words: readonly Local[], rows: readonly Row[]): void;
  readonly result?: Expression;
}

/**
 * A loop over n streams, with a block of each: `(n, rows…, rest…)`. There are four rows, the first two of which are the
 * key; each is an address, and how many bytes it is from four streams to the next. Goes on to a multiple of four.
 */
export function overStreams(
  module: ModuleBuilder,
  name: string,
  rest: number,
  counter: (rows: readonly Row[]) => readonly (Expression | null)[],
  begin: (b: FunctionBuilder, rest: readonly Expression[]) => Body,
  results: readonly ValueType[] = [],
): void {
  module.function(name, new Array(9 + rest).fill(I32), results, (b) => {
    const rows = [1, 3, 5, 7].map((first) => new Row(b, first));
    const left = b.let(I32, b.parameter(0));
    const body = begin(
      b,
      Array.from({ length: rest }, (_, k) => b.parameter(9 + k)),
    );
    b.while(i32.gt(left.get, i32.const(0)), () => {
      const { block } = body;
      const [first, ...others] = counter(rows);
      body.four(
        philox(b, [block ?? first, ...others], [rows[0].four, rows[1].four], block === undefined ? 2 : 4),
        rows,
      );
      for (const row of rows) row.advance();
      left.set(i32.sub(left.get, i32.const(4)));
    });
    if (body.result !== undefined) b.do(body.result);
  });
}

/** Of choices: the rows are keys, choices and epochs. */
export const ofChoice = (rows: readonly Row[]) => [null, rows[2].four, rows[3].four, null];
/** Of children: the rows are the keys of their parents, occurrences and indices. */
export const ofChild = (rows: readonly Row[]) => [rows[3].four, rows[2].four, null, i32x4.const(1)];

/** What loops that draw are given besides streams: `(out, totals, a, step of a, b, step of b, c, step of c)`. */
export const GIVEN = 8;
