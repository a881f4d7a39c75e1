/**
 * Automatic guides in which choices depend on each other. One distribution over all continuous choices of a program,
 * in coordinates without bounds, is factored in the order in which an execution makes its choices: the guide of each
 * choice is its conditional distribution, given those before it. So guides are distributions of single choices here
 * too, and a handler that draws or scores them only has to report which value was chosen.
 */
import { BaseDistribution } from '../../distributions/distribution.ts';
import { currentLanes } from '../../lanes/lanes.ts';
import type { Address } from '../../runtime/address.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import type { Random } from '../../runtime/random.ts';
import { OneByOne } from '../../runtime/signals.ts';
import type { Node, Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import { sizeOf } from '../../tensor/shape.ts';
import { type Coordinates, coordinatesFor, type Place } from '../coordinates/coordinates.ts';
import type { FollowedGuide } from '../guide-of.ts';
import { type AskedGuide, askedGuide, kindNamed } from './asked-guide.ts';
import {
  type Conditional,
  type Extent,
  type JointKind,
  type Own,
  type OwnParams,
  withoutGradients,
} from './conditional.ts';
import { type KindName, learnedBy } from './kind-names.ts';
import { paramsOnce } from './known-params.ts';
import { OwnParameters } from './own-parameters.ts';
import { canonicalPlace, hashOf, isJoint, lanesIn, type Preceding, precedingNow } from './preceding-choices.ts';
import { valueDims } from './value-dims.ts';

/** The choice that a guide is for. */
interface Site {
  /** How names of its parameters begin. */
  readonly name: string;
  readonly place: string;
  readonly coordinates: Coordinates;
  readonly extent: Extent;
  readonly line: Preceding;
  readonly kind: JointKind;
  readonly params: OwnParams;
}

/** A value and its coordinates. */
interface Found extends Place {
  readonly point: Value;
  readonly noise?: Value;
}

class JointGuide extends BaseDistribution<unknown> implements FollowedGuide {
  override readonly name = 'JointGuide';
  override readonly params: object = {};
  override readonly isContinuous = true;
  private readonly conditional: Conditional;

  constructor(
    private readonly site: Site,
    /** What was drawn or scored last. */
    private found: Found | null = null,
    /** Whether its parameters are constants. */
    private readonly isFixed = false,
  ) {
    super();
    const { kind, params, extent, line } = site;
    this.conditional = isFixed
      ? kind.conditional(withoutGradients(params), extent, line.fixed())
      : kind.conditional(params, extent, line.state);
  }

  /** How `--explain-guides` describes it. */
  get described(): string {
    const { kind, line } = this.site;
    const { count } = line.state;
    const given = count === 0 ? '' : `, given ${count} number${count === 1 ? '' : 's'} before it`;
    return `its part of ${kind.words} that is automatic${given}`;
  }

  /** The gradient of the score at a drawn value adds variance, also when the guide is right. But flows may not converge without it. */
  get settles(): boolean {
    return this.site.kind.gaussian && this.site.line.gaussian;
  }

  base(): Distribution<unknown> {
    return this.conditional.noise;
  }

  transform(noise: unknown): unknown {
    return this.made(noise as Value).value;
  }

  scoreOfNoise(noise: unknown): Value {
    return this.scoreOfFound(this.made(noise as Value));
  }

  override draw(random: Random): unknown {
    return this.made(this.conditional.noise.draw(random) as Value).value;
  }

  override score(value: unknown): number {
    return this.scoreOfFound(this.find(value)) as number;
  }

  /** A value that was drawn: its noise is known as well. */
  private made(noise: Value): Found {
    if (this.found?.noise !== noise) {
      const point = this.conditional.pointOf(noise);
      this.found = { point, noise, ...this.placed(point) };
    }
    return this.found;
  }

  /** A point as coordinates have it. */
  private placed(point: Value): Place {
    const { coordinates, extent } = this.site;
    const { shape } = coordinates;
    return coordinates.place(extent.scalar ? point : (ops.reshape(point as Node, shape) as Value));
  }

  private find(value: unknown): Found {
    if (this.found === null || this.found.value !== value) {
      const { coordinates, extent } = this.site;
      const located = coordinates.locate(value as Value);
      const point = extent.scalar ? located : (ops.reshape(located as Node, [extent.size, 1]) as Value);
      this.found = { point, value: value as Value, logVolume: this.placed(point).logVolume };
    }
    return this.found;
  }

  private scoreOfFound({ point, noise, logVolume }: Found): Value {
    const { conditional, isFixed } = this;
    const known = noise !== undefined && !isFixed && conditional.logDensityOfNoise !== undefined;
    const density = known ? conditional.logDensityOfNoise!(noise, point) : conditional.logDensity(point);
    return ops.sub(density, logVolume) as Value;
  }

  /** The same as if its parameters were constants; what was drawn stays as it was made. */
  withoutGradient(): JointGuide {
    return new JointGuide(this.site, this.found, true);
  }

  chosen(value: unknown): void {
    const { name, place, line, extent } = this.site;
    const { point, noise } = this.find(value);
    let fixed: ReturnType<Preceding['fixed']> | undefined;
    const next: Preceding = {
      before: line,
      hash: hashOf(`${canonicalPlace(line, place)}:${name}:${extent.size}`, line.hash),
      state: this.conditional.after(point, this.isFixed ? undefined : noise),
      fixed: () => (fixed ??= this.withoutGradient().conditional.after(point, undefined)),
      gaussian: this.settles,
      within: line.within,
      choice: { place, size: extent.size },
    };
    machine.preceding = next;
  }
}

/** The guide of a choice where guides depend on each other; undefined where the guide of this choice is independent. */
export function jointGuide(target: Distribution<unknown>, address: Address): JointGuide | undefined {
  if (!isJoint()) return undefined;
  const line = precedingNow();
  const dims = line.apart ? undefined : valueDims(target);
  if (dims === undefined) return undefined;
  const place = address.relativeTo(machine.base);
  const coordinates = coordinatesFor(target, dims);
  const extent = { size: sizeOf(coordinates.shape), scalar: dims.length === 0, hash: line.hash };
  const asked = askedGuide();
  const found = kindFor(asked, place, extent, line);
  if (found !== undefined) checkWay(place, line);
  if (asked?.met.has(place) === false) asked.met.set(place, { address, place, extent, line });
  if (found === undefined) return undefined;
  const own: Own = new OwnParameters(place, found.name, extent, asked !== null || machine.lifted);
  const work = (): OwnParams => found.kind.params(own, extent, line.state);
  const params = machine.lifted ? work() : paramsOnce(`${place}$${found.name}$${extent.size}$${extent.hash}`, work);
  return new JointGuide({ name: learnedBy(found.name), place, coordinates, extent, line, kind: found.kind, params });
}

/** The kind that is asked for, or has been learned. Choices of a datum have few numbers, and are rows of a full factor. */
function kindFor(
  asked: AskedGuide | null,
  place: string,
  extent: Extent,
  { within }: Preceding,
): { readonly name: KindName; readonly kind: JointKind } | undefined {
  if (asked !== null) {
    const { kind, name } = asked;
    if (kind === null) return undefined;
    return within === null || name === 'laplace' ? { name, kind } : kindNamed('fullRank');
  }
  return OwnParameters.learned(place, extent);
}

/**
 * Each choice depends on those before it: iterations run one after the other, and each side of a conditional runs
 * for those that take it.
 */
function checkWay(place: string, { within }: Preceding): void {
  const lanes = currentLanes();
  if (lanes === null) return;
  if (lanes.kind === 'side') throw new OneByOne('parameters', 'automatic guides depend on the choices before theirs');
  if (lanesIn(place) > (within?.lanes ?? 0)) {
    throw new OneByOne('parameters', 'automatic guides depend on the iterations before theirs');
  }
}
