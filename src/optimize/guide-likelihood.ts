import { machine } from '../runtime/machine.ts';
import type { Value } from '../tensor/node.ts';
import { add, div, neg } from '../tensor/ops.ts';
import { explainObjective } from './bad-terms.ts';
import { explainGuides } from './explain-guides.ts';
import type { GuideScore } from './guide-score.ts';
import type { LeafTable } from './leaves.ts';
import { settle } from './settle.ts';

/** How likely guides find given executions on average, and the gradients of minus that. */
export function guideLikelihood(leaves: LeafTable, executions: readonly GuideScore[], step: number) {
  if (step === 0 && machine.run.engine?.explainGuides) explainGuides(executions[0].root);
  const total = executions.reduce((sum: Value, { logGuide }) => add(sum, logGuide), 0);
  const { loss, gradients } = settle(leaves, neg(div(total, executions.length)));
  const logGuide = -loss;
  if (!Number.isFinite(logGuide)) {
    explainObjective(
      logGuide,
      executions.map(({ root }) => root),
    );
  }
  return { logGuide, gradients };
}
