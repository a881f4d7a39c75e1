/** Loops over random streams, four at once: each draws what `runtime/random.ts` says it draws. */
import {
  type Expression,
  type FunctionBuilder,
  I32,
  type Local,
  type ModuleBuilder,
} from '../../tensor/wasm/assembler.ts';
import { f64, i32, i32x4, v128 } from '../../tensor/wasm/instructions.ts';
import { addBeyond, normals } from '../../tensor/wasm/normals.ts';
import { philox, uniforms } from '../../tensor/wasm/philox.ts';
import { TABLE_AT } from './kernel-places.ts';

/** Words of streams: their address, which goes on from four streams to the next unless all have the same. */
class Row {
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

type Body = (words: readonly Local[], rows: readonly Row[]) => void;

/**
 * A loop over n streams, with a block of each: `(n, rows…, rest…)`. There are four rows, the first two of which are the
 * key; each is an address, and how many bytes it is from four streams to the next. Goes on to a multiple of four.
 */
function overStreams(
  module: ModuleBuilder,
  name: string,
  rest: number,
  counter: (rows: readonly Row[]) => readonly Expression[],
  begin: (b: FunctionBuilder, rest: readonly Expression[]) => Body,
): void {
  module.function(name, new Array(9 + rest).fill(I32), [], (b) => {
    const rows = [1, 3, 5, 7].map((first) => new Row(b, first));
    const left = b.let(I32, b.parameter(0));
    const body = begin(
      b,
      Array.from({ length: rest }, (_, k) => b.parameter(9 + k)),
    );
    b.while(i32.gt(left.get, i32.const(0)), () => {
      body(philox(b, counter(rows), [rows[0].four, rows[1].four], true), rows);
      for (const row of rows) row.advance();
      left.set(i32.sub(left.get, i32.const(4)));
    });
  });
}

const NONE = i32x4.const(0);

export function addRandom(module: ModuleBuilder): void {
  const beyond = addBeyond(module);
  // The rows are keys, choices and epochs.
  const ofChoice = (rows: readonly Row[]): readonly Expression[] => [NONE, rows[2].four, rows[3].four, NONE];

  overStreams(module, 'uniforms', 1, ofChoice, (b, [out]) => {
    const to = b.let(I32, out);
    return (words) => {
      b.do(v128.store([to.get, uniforms(words[0].get, words[1].get, false)]));
      b.do(v128.store([to.get, uniforms(words[0].get, words[1].get, true)], 16));
      to.set(i32.add(to.get, i32.const(32)));
    };
  });

  // Then mu and sigma, each with its step.
  overStreams(module, 'normals', 5, ofChoice, (b, [mu, muStep, sigma, sigmaStep, out]) => {
    const to = b.let(I32, out);
    const mean = b.let(I32, mu);
    const scale = b.let(I32, sigma);
    return (words, rows) => {
      const origin = (lane: Expression) => ({
        ...{ key0: rows[0].one(lane), key1: rows[1].one(lane), choice: rows[2].one(lane), epoch: rows[3].one(lane) },
        number: i32.const(0),
      });
      normals(b, beyond, i32.const(TABLE_AT), [words[0], words[1]], origin, (_lane, normal) => {
        b.do(f64.store([to.get, f64.add(f64.load([mean.get]), f64.mul(f64.load([scale.get]), normal))]));
        to.set(i32.add(to.get, i32.const(8)));
        mean.set(i32.add(mean.get, muStep));
        scale.set(i32.add(scale.get, sigmaStep));
      });
    };
  });

  // Children: the rows are the keys of their parents, occurrences and indices.
  const ofChild = (rows: readonly Row[]): readonly Expression[] => [rows[3].four, rows[2].four, NONE, i32x4.const(1)];
  overStreams(module, 'keys', 2, ofChild, (b, [out0, out1]) => {
    const to0 = b.let(I32, out0);
    const to1 = b.let(I32, out1);
    return (words) => {
      b.do(v128.store([to0.get, words[0].get]));
      b.do(v128.store([to1.get, words[1].get]));
      to0.set(i32.add(to0.get, i32.const(16)));
      to1.set(i32.add(to1.get, i32.const(16)));
    };
  });
}
