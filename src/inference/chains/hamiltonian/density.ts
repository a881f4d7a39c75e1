/** A differentiable log-density over unconstrained space: what Hamiltonian samplers move in. */
export interface LogDensity {
  readonly dimension: number;
  /** Log-density at `position`; writes its gradient into `gradient`. −∞ or NaN means the point is impossible. */
  evaluate(position: Float64Array, gradient: Float64Array): number;
  /** Takes leapfrog steps in a quicker way than `Flow` does, with the same result; false if there is none. */
  travel?(z: Phase, inverseMass: Float64Array, step: number, count: number): boolean;
}

/** A point of the trajectory: where, how fast, and the density there. */
export class Phase {
  readonly position: Float64Array;
  readonly momentum: Float64Array;
  readonly gradient: Float64Array;
  logDensity = -Infinity;

  constructor(dimension: number) {
    this.position = new Float64Array(dimension);
    this.momentum = new Float64Array(dimension);
    this.gradient = new Float64Array(dimension);
  }

  copyFrom(other: Phase): void {
    this.position.set(other.position);
    this.momentum.set(other.momentum);
    this.gradient.set(other.gradient);
    this.logDensity = other.logDensity;
  }
}

/** Moves along the Hamiltonian flow with a diagonal mass matrix, given as the inverse masses (variances). */
export class Flow {
  constructor(
    readonly density: LogDensity,
    /** One per dimension; adaptation overwrites them in place. */
    readonly inverseMass: Float64Array,
  ) {}

  /** Negative energy: log-density less kinetic energy. */
  logJoint(z: Phase): number {
    let kinetic = 0;
    for (let i = 0; i < z.momentum.length; i++) kinetic += z.momentum[i] * z.momentum[i] * this.inverseMass[i];
    const joint = z.logDensity - 0.5 * kinetic;
    return Number.isNaN(joint) ? -Infinity : joint;
  }

  /** Leapfrog steps of the given (signed) size, in place. */
  leapfrog(z: Phase, step: number, count = 1): void {
    if (this.density.travel?.(z, this.inverseMass, step, count) === true) return;
    for (let i = 0; i < count; i++) this.stepOnce(z, step);
  }

  private stepOnce(z: Phase, step: number): void {
    const { position, momentum, gradient } = z;
    const { inverseMass } = this;
    for (let i = 0; i < position.length; i++) {
      momentum[i] += 0.5 * step * gradient[i];
      position[i] += step * inverseMass[i] * momentum[i];
    }
    z.logDensity = this.density.evaluate(position, gradient);
    for (let i = 0; i < position.length; i++) momentum[i] += 0.5 * step * gradient[i];
  }

  /** Draws a fresh momentum. */
  refresh(z: Phase, gaussian: () => number): void {
    for (let i = 0; i < z.momentum.length; i++) z.momentum[i] = gaussian() / Math.sqrt(this.inverseMass[i]);
  }
}
