import { WaymarkError } from '../runtime/errors.ts';
import { Node, type Value } from '../tensor/node.ts';
import type { Chain, ChoiceEvent } from './record.ts';

/** Thrown for a step whose objective is no finite number; `skipBadSteps` lets an optimisation go on after it. */
export class BadStep extends WaymarkError {
  override name = 'BadStep';
}

/** If the objective is not finite, says which choice or factor made it so. */
export function checkTerms(objective: number, chains: readonly Chain[]): void {
  if (Number.isFinite(objective)) return;
  for (const chain of chains) search(chain, '');
  throw new BadStep(`The objective is ${objective}, though each of its terms is finite: they add up to too much.`);
}

function search(chain: Chain, datum: string): void {
  for (const event of chain.events) {
    if (event.kind === 'pass') {
      for (const item of event.items) search(item, ` for datum ${item.datum}`);
    } else if (event.kind === 'factor') {
      const score = numberOf(event.score);
      if (!Number.isFinite(score)) {
        throw new BadStep(`A factor at ${event.address}${datum} is ${score}. ${ADVICE}`);
      }
    } else searchChoice(event, datum);
  }
}

function searchChoice({ target, guide, logTarget, logGuide, address }: ChoiceEvent, datum: string): void {
  const [p, q] = [numberOf(logTarget), numberOf(logGuide)];
  if (Number.isFinite(p) && Number.isFinite(q)) return;
  const [score, distribution, role] = Number.isFinite(q) ? [p, target, 'model'] : [q, guide, 'guide'];
  throw new BadStep(
    `The choice at ${address}${datum} has score ${score} in the ${role}, under ${shown(distribution)}. ${ADVICE}`,
  );
}

const ADVICE = 'A smaller stepSize, or clip, often helps; a guide must not draw what the model rules out.';

const numberOf = (value: Value): number => Number(value instanceof Node ? value.value() : value);

/** A distribution with its parameters as they are now. */
function shown(distribution: { name: string; params: object }): string {
  const fields = Object.entries(distribution.params).map(
    ([name, value]) => `${name}: ${value instanceof Node ? String(value.value()) : String(value)}`,
  );
  return `${distribution.name}({${fields.join(', ')}})`;
}
