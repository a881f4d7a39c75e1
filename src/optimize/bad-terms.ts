import { laneAt } from '../lanes/value.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { settled } from '../runtime/force.ts';
import { guidePlaceOf, where } from '../runtime/places.ts';
import { Tensor } from '../tensor/tensor.ts';
import { laneWeights } from './lane-weights.ts';
import type { ChoiceEvent, FactorEvent, Strand } from './record.ts';
import { given } from './sites/given.ts';

/** Thrown for a step whose objective is no finite number; `skipBadSteps` lets an optimisation go on after it. */
export class BadStep extends WaymarkError {
  override name = 'BadStep';
}

/** If some choice or factor is not finite, says which. */
export function checkTerms(strands: readonly Strand[]): void {
  for (const strand of strands) search(strand, strand.lanes === undefined ? [WHOLE] : viewsOf(strand, []), []);
}

/** The objective is not finite: says which choice or factor made it so. */
export function explainObjective(objective: number, strands: readonly Strand[]): never {
  checkTerms(strands);
  throw new BadStep(`The objective is ${objective}, though each of its terms is finite: they add up to too much.`);
}

/** How the values of one datum are read, and how messages name it. */
interface View {
  readonly datum: string;
  read(value: unknown): unknown;
}

const WHOLE: View = { datum: '', read: settled };

/** Names a datum by its indices, outermost first. */
const named = (path: readonly number[]): string =>
  path.length === 0 ? '' : ` for datum ${path.toReversed().join(' of datum ')}`;

/** The data of an item: itself, or each of those that ran side by side. */
function viewsOf(strand: Strand, path: readonly number[]): View[] {
  const { lanes } = strand;
  if (lanes === undefined) return [{ datum: named(path), read: settled }];
  // Values that are tried, and cannot occur, do no harm.
  const counts = laneWeights(strand)?.value ?? 1;
  const counting = Array.from({ length: lanes.size }, (_, lane) => lane).filter(
    (lane) => laneAt(counts, lane, lanes) !== 0,
  );
  return counting.map((lane) => ({
    datum: named(lanes.path(lane)),
    read: (value) => laneAt(value, lane, lanes),
  }));
}

/** `path` has the indices of the data that the strand is of. */
function search(strand: Strand, views: readonly View[], path: readonly number[]): void {
  for (const event of strand.events) {
    if (event.kind === 'pass') {
      for (const item of event.items) {
        const inner = item.datum === undefined ? path : [...path, item.datum];
        const isDatum = item.datum !== undefined || item.lanes !== undefined;
        search(item, isDatum ? viewsOf(item, inner) : views, inner);
      }
      continue;
    }
    for (const view of views) {
      if (event.kind === 'factor') searchFactor(event, view);
      else searchChoice(event, view);
    }
  }
}

function searchFactor({ score: term, address, observed }: FactorEvent, { datum, read }: View): void {
  const score = Number(read(term));
  if (Number.isFinite(score)) return;
  if (observed !== undefined) {
    const what = `${shown(read(observed.value))} under ${distribution(observed.distribution, read)}`;
    throw new BadStep(
      `The observation at ${where(address)}${datum}, ${what}, has score ${score}. ${factorAdvice(score)}`,
    );
  }
  throw new BadStep(`The factor at ${where(address)}${datum} is ${score}. ${factorAdvice(score)}`);
}

function searchChoice(choice: ChoiceEvent, { datum, read }: View): void {
  const [p, q] = [Number(read(choice.logTarget)), Number(read(choice.logGuide))];
  if (Number.isFinite(p) && Number.isFinite(q)) return;
  const value = shown(read(choice.value));
  const guide = distribution(choice.guide, read);
  const place = guidePlaceOf(choice.address);
  const at = place === undefined ? '' : ` at ${place}`;
  const start = `The choice at ${where(choice.address)}${datum}`;
  if (choice.rule === given) {
    throw new BadStep(`${start} is ${value}, which has score ${q} under its guide ${guide}${at}. ${GIVEN_ADVICE}`);
  }
  const [score, under] = Number.isFinite(q) ? [p, `under ${distribution(choice.target, read)}`] : [q, 'there'];
  throw new BadStep(
    `${start} drew ${value} from its guide ${guide}${at}, which has score ${score} ${under}. ${ADVICE}`,
  );
}

const ADVICE = 'A guide must not draw what the model rules out; a smaller stepSize, or clip, often helps.';

const GIVEN_ADVICE =
  'A guide must allow whatever the model may draw; otherwise a smaller stepSize, or clip, often helps.';

const factorAdvice = (score: number): string =>
  score === -Infinity
    ? 'Guides cannot learn from what is impossible: soften the condition (observe a distribution around the value, or ' +
      'factor with a finite score). If parameters have run away, a smaller stepSize, or clip, often helps.'
    : 'A smaller stepSize, or clip, often helps.';

/** A distribution with its parameters as they are now. */
function distribution({ name, params }: { name: string; params: object }, read: View['read']): string {
  const fields = Object.entries(params).map(([field, value]) => `${field}: ${shown(read(value))}`);
  return `${name}({${fields.join(', ')}})`;
}

/** Arrays and tensors of more elements than this are described by their size. */
const FEW = 6;

function shown(value: unknown): string {
  const elements: unknown[] = value instanceof Tensor ? [...value.data] : Array.isArray(value) ? value : [];
  const few = elements.length > 0 && elements.length <= FEW;
  return few ? `[${elements.map(shown).join(', ')}]` : describe(value);
}
