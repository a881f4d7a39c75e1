/**
 * Parameters of one precision, one after the other in buffers on the device, with their gradients and what the optimiser
 * remembers: a step moves all of them in one pass.
 */
import { input } from '../tensor/leaves.ts';
import type { Data, Node } from '../tensor/node.ts';
import { add, gt, inDoublePrecision, mul, select, square, sum } from '../tensor/ops.ts';
import type { UpdateRule } from '../tensor/optimisers.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import { type ResidentBuffer, residentBuffer } from '../tensor/wasm/resident.ts';

/** Where a parameter is in its pack. */
export interface Stretch {
  readonly start: number;
  readonly length: number;
}

export class ParameterPack {
  private used = 0;
  values: ResidentBuffer;
  gradients: ResidentBuffer;
  memory: readonly ResidentBuffer[];
  /** 1 for the parameters met in the step at hand, else 0. */
  private mask: ResidentBuffer;
  private readonly plans = new Map<string, Plan>();
  private allMet = false;
  /** What moving is given. */
  private readonly numbers = [0, 0, 0];

  constructor(
    readonly precision: 'f64' | 'f32',
    private readonly rule: UpdateRule,
    private readonly weightDecay: number,
    /** Told when the buffers are replaced by longer ones. */
    private readonly moved: () => void,
  ) {
    const first = (): ResidentBuffer => residentBuffer(FIRST_LENGTH, precision);
    this.values = first();
    this.gradients = first();
    this.mask = first();
    this.memory = Array.from({ length: rule.states }, first);
  }

  /** Takes up a parameter. */
  place(data: Data): Stretch {
    const { length } = data;
    if (this.used + length > this.values.length) this.grow(this.used + length);
    const stretch = { start: this.used, length };
    this.values.view().set(data, this.used);
    this.used += length;
    this.plans.clear();
    return stretch;
  }

  /** Says which of the parameters the step at hand has gradients of. */
  meet(stretches: readonly Stretch[]): void {
    this.allMet = stretches.reduce((sum, { length }) => sum + length, 0) === this.used;
    if (this.allMet) return;
    const mask = this.mask.view().fill(0);
    for (const { start, length } of stretches) mask.fill(1, start, start + length);
  }

  /** The square of the gradient's norm, weight decay included. Not finite if some element is not. */
  squaredNorm(): number {
    const squared = (pull: Node): Plan => compilePlan([sum(square(pull)) as Node], []);
    const plan = this.plan('norm', () => squared(this.pull()));
    const quick = Number(plan.again?.(NOTHING) ? plan.outputOf!(0) : plan.run(NOTHING)[0]);
    if (Number.isFinite(quick) || this.precision === 'f64') return quick;
    // Squares overflow single precision early.
    return Number(this.plan('wide norm', () => squared(inDoublePrecision(this.pull()) as Node)).run([])[0]);
  }

  /** Multiplies the gradients by a number. */
  scaleGradients(by: number): void {
    const make = (): Plan => {
      const factor = input();
      const plan = compilePlan([mul(factor, this.node(this.gradients)) as Node], [factor]);
      plan.into(0, this.filled(this.gradients));
      return plan;
    };
    this.plan('scale', make).run([by]);
  }

  /** Moves the parameters against their gradients times `scale`. `step` counts from 0. */
  move(step: number, stepSize: number, scale: number): void {
    const plan = this.plan(scale === 1 ? 'move' : 'scaled', () => this.movement(scale !== 1));
    const { numbers } = this;
    numbers[0] = step + 1;
    numbers[1] = stepSize;
    numbers[2] = scale;
    if (!plan.again?.(numbers)) plan.run(numbers);
  }

  private grow(least: number): void {
    const longer = (buffer: ResidentBuffer): ResidentBuffer => {
      const copy = residentBuffer(Math.max(least, 2 * buffer.length), this.precision);
      copy.view().set(buffer.view());
      return copy;
    };
    this.values = longer(this.values);
    this.gradients = longer(this.gradients);
    this.mask = longer(this.mask);
    this.memory = this.memory.map(longer);
    this.moved();
  }

  private plan(kind: string, make: () => Plan): Plan {
    const key = this.allMet ? kind : `${kind} met`;
    let plan = this.plans.get(key);
    if (plan === undefined) {
      plan = make();
      this.plans.set(key, plan);
    }
    return plan;
  }

  /** The length of a buffer that is in use. */
  private filled(buffer: ResidentBuffer): ResidentBuffer {
    return buffer.part(0, this.used);
  }

  private node(buffer: ResidentBuffer): Node {
    return this.filled(buffer).node([this.used]);
  }

  private isMet(): Node {
    return gt(this.node(this.mask), 0) as Node;
  }

  /** The gradient with weight decay. */
  private pull(): Node {
    const gradient = this.node(this.gradients);
    const { weightDecay } = this;
    const pull = weightDecay === 0 ? gradient : (add(gradient, mul(weightDecay, this.node(this.values))) as Node);
    return this.allMet ? pull : (select(this.isMet(), pull, 0) as Node);
  }

  private movement(scaled: boolean): Plan {
    const [step, stepSize, scale] = [input(), input(), input()];
    const before = [this.values, ...this.memory].map((buffer) => this.node(buffer));
    const [parameter, ...state] = before;
    const gradient = scaled ? (mul(scale, this.pull()) as Node) : this.pull();
    const after = this.rule.update({ parameter, gradient, state, step, stepSize });
    const moved = [after.parameter, ...after.state] as Node[];
    const outputs = this.allMet ? moved : moved.map((now, i) => select(this.isMet(), now, before[i]) as Node);
    const plan = compilePlan(outputs, [step, stepSize, scale]);
    [this.values, ...this.memory].forEach((buffer, i) => {
      plan.into(i, this.filled(buffer));
    });
    return plan;
  }
}

const FIRST_LENGTH = 64;
const NOTHING: readonly number[] = [];
