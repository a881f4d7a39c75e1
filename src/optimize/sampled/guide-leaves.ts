/**
 * Which parameters the guides of samples have, and which of them only these guides have. Found in the graph: what a score depends on,
 * other than through the values of choices.
 */
import { Node } from '../../tensor/node.ts';
import type { ChoiceEvent, Strand } from '../record.ts';

interface GuideLeaves {
  readonly ofGuides: ReadonlySet<Node>;
  readonly onlyOfGuides: ReadonlySet<Node>;
}

/** Of an execution, or several, with the samples in them. */
export function guideLeaves(executions: readonly Strand[], leaves: readonly Node[]): GuideLeaves {
  const search = new Search(leaves);
  const guides: unknown[] = [];
  const others: unknown[] = [];
  const look = (strand: Strand, isSampled: boolean): void => {
    for (const event of strand.events) {
      if (event.kind === 'factor') others.push(event.score);
      else if (event.kind === 'pass')
        for (const item of event.items) look(item, isSampled || event.sampled !== undefined);
      else {
        search.stopAt(event);
        others.push(event.logTarget);
        const own = event.value instanceof Node ? event.value.inputs : [];
        (isSampled ? guides : others).push(event.logGuide, ...own);
      }
    }
  };
  for (const strand of executions) look(strand, false);
  const ofGuides = search.from(guides);
  const ofOthers = search.from(others);
  return { ofGuides, onlyOfGuides: new Set([...ofGuides].filter((leaf) => !ofOthers.has(leaf))) };
}

class Search {
  private readonly leaves: ReadonlySet<Node>;
  private readonly values = new Set<Node>();

  constructor(leaves: readonly Node[]) {
    this.leaves = new Set(leaves);
  }

  /** The walk stops at the value of a choice: whatever depends on the choice depends on it through this value. */
  stopAt({ value }: ChoiceEvent): void {
    if (value instanceof Node) this.values.add(value);
  }

  /** The leaves that some values depend on. */
  from(starts: readonly unknown[]): Set<Node> {
    const found = new Set<Node>();
    const seen = new Set<Node>();
    const waiting = starts.filter((start) => start instanceof Node);
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      if (this.leaves.has(node)) found.add(node);
      if (!this.values.has(node)) waiting.push(...node.inputs);
    }
    return found;
  }
}
