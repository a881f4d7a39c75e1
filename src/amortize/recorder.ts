/** Takes down what executions choose, as rows for the network. */
import type { Address } from '../runtime/address.ts';
import type { Distribution } from '../runtime/handler.ts';
import { chainOf, partValue } from './chains.ts';
import { type Coordinate, coordinateOf, indexIn } from './coordinates.ts';
import { asNumber, asNumbers, type Row, toldParams } from './rows.ts';
import type { Key, Sites } from './sites.ts';
import { listLength } from './sizes.ts';

/** The kind of head for a coordinate. */
export function headFor(coordinate: Coordinate | null): string {
  if (coordinate === null) return 'prior';
  return coordinate.kind === 'finite' ? `finite${listLength(coordinate.values.length)}` : coordinate.kind;
}

export class Recorder {
  readonly rows: Row[] = [];

  constructor(
    private readonly sites: Sites,
    private readonly base: Address,
  ) {}

  /** A choice of one execution, of a value drawn from its prior. */
  note(address: Address, lane: number, target: Distribution<unknown>, value: unknown, hasGuide: boolean): void {
    const chain = hasGuide ? null : chainOf(target);
    if (chain === null) {
      this.scalar(address, lane, target, value, hasGuide ? null : coordinateOf(target), -1, hasGuide);
      return;
    }
    const parts = chain.partsOf(value);
    parts?.forEach((element, i) => {
      const part = chain.part(i, parts.slice(0, i));
      this.scalar(address, lane, part, partValue(part, element), coordinateOf(part), i, false, target.name);
    });
  }

  private scalar(
    address: Address,
    lane: number,
    target: Distribution<unknown>,
    value: unknown,
    coordinate: Coordinate | null,
    part: number,
    hasGuide: boolean,
    family = target.name,
  ): void {
    const head = hasGuide ? 'own' : headFor(coordinate);
    const key = this.sites.keyOf(address, this.base, family, head, part);
    if (key !== null) this.rows.push(rowOf(key, lane, target, value, coordinate));
  }
}

/** The row of a value under its prior. */
export function rowOf(
  key: Key,
  lane: number,
  target: Distribution<unknown>,
  value: unknown,
  coordinate: Coordinate | null,
): Row {
  const x = asNumber(value);
  const row: Row = {
    lane,
    key,
    u: 0,
    upper: 0,
    log: 0,
    x,
    index: -1,
    logs: null,
    list: null,
    params: toldParams(target.params),
  };
  if (coordinate?.kind === 'real') row.u = coordinate.to(x);
  else if (coordinate?.kind === 'whole') {
    row.u = coordinate.lower(x);
    row.upper = coordinate.upper(x);
    row.log = target.score(x);
  } else if (coordinate?.kind === 'finite') {
    row.index = indexIn(coordinate, value);
    row.logs = coordinate.logs;
    row.list = asNumbers(coordinate.values);
    row.log = coordinate.logs[row.index];
  }
  return row;
}
