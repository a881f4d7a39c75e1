/**
 * Lanes that are no executions, and have the guide's likeliest value in place of what was drawn: what they cost is expected
 * of the others.
 */
import { Discrete } from '../../distributions/index.ts';
import { keepPlace } from '../../lanes/list-places.ts';
import { tableItems } from '../../lanes/tables.ts';
import type { Node, Value } from '../../tensor/node.ts';
import { argmax, exp, gt, select, stack, stopGradient } from '../../tensor/ops.ts';
import type { Twins } from '../varied-unit.ts';
import { finiteValues } from './finite-values.ts';
import { maskOf } from './relaxation.ts';
import type { Drawn, Site } from './rule.ts';

export function drawLikeliest(site: Site, twins: Twins): Drawn {
  const { guide, target, score } = site;
  const values = finiteValues(site)!;
  const logs = stopGradient(stack(values.map((value) => score(guide, value)) as unknown as Node[])) as Node;
  const drawn = site.draw(Discrete({ ps: exp(logs) as unknown as number[] })) as Node;
  const share = maskOf(twins, (kind) => kind > 0);
  const place = select(gt(share, 0), argmax(logs), drawn);
  const value = tableItems(values, keepPlace(place, values.length));
  const executed: Value = score(guide, tableItems(values, drawn));
  return { value, logTarget: score(target, value), logGuide: score(guide, value), share, logDrawn: executed };
}
