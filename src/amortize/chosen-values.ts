/** Values that were chosen: as coordinates, as numbers, and as places in lists. */
export class ChosenValues {
  readonly u: Float64Array;
  readonly x: Float64Array;
  readonly index: Int32Array;

  constructor(count: number) {
    this.u = new Float64Array(count);
    this.x = new Float64Array(count);
    this.index = new Int32Array(count);
  }

  put(i: number, u: number, x: number, index: number): void {
    this.u[i] = u;
    this.x[i] = x;
    this.index[i] = index;
  }
}
