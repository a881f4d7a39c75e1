import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { parseJson } from './json-text.ts';
import { readDataFile, textOf } from './read-file.ts';

/** A disease that may bring about a symptom, and the probability that it does. */
export interface QmrParent {
  readonly index: number;
  readonly prob: number;
}

/** Diseases and the symptoms they cause: the network of section 6.2 of the paper (QMR-DT). */
export interface QmrGraph {
  readonly numDiseases: number;
  readonly numSymptoms: number;
  readonly diseaseNodes: readonly { readonly priorProb: number }[];
  readonly symptomNodes: readonly { readonly leakProb: number; readonly parents: readonly QmrParent[] }[];
}

/**
 * A diagnosis network from a JSON file `{diseaseNodes: [{priorProb}], symptomNodes: [{leakProb, parents: [{index,
 * prob}]}]}`. The counts `numDiseases` and `numSymptoms` may be left out of the file.
 */
export function loadQMRGraph(path: string): QmrGraph {
  const file = readDataFile('loadQMRGraph', path);
  const graph = parseJson('loadQMRGraph', file.name, textOf('loadQMRGraph', file));
  return new GraphCheck(file.name).graph(graph);
}

class GraphCheck {
  constructor(private readonly file: string) {}

  graph(value: unknown): QmrGraph {
    const graph = this.fields(value, 'the file');
    const diseases = this.list(graph.diseaseNodes, 'diseaseNodes');
    const symptoms = this.list(graph.symptomNodes, 'symptomNodes');
    diseases.forEach((node, i) => {
      const where = `diseaseNodes[${i}]`;
      this.probability(this.fields(node, where).priorProb, `${where}.priorProb`);
    });
    symptoms.forEach((node, i) => {
      const where = `symptomNodes[${i}]`;
      const { leakProb, parents } = this.fields(node, where);
      this.probability(leakProb, `${where}.leakProb`);
      this.list(parents, `${where}.parents`).forEach((parent, j) => {
        const { index, prob } = this.fields(parent, `${where}.parents[${j}]`);
        this.probability(prob, `${where}.parents[${j}].prob`);
        if (!Number.isInteger(index) || !((index as number) >= 0 && (index as number) < diseases.length)) {
          this.fail(`${where}.parents[${j}].index`, `the index of a disease, from 0 to ${diseases.length - 1}`, index);
        }
      });
    });
    this.count(graph.numDiseases, diseases.length, 'numDiseases');
    this.count(graph.numSymptoms, symptoms.length, 'numSymptoms');
    return { ...graph, numDiseases: diseases.length, numSymptoms: symptoms.length } as unknown as QmrGraph;
  }

  private fields(value: unknown, where: string): Record<string, unknown> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return this.fail(where, 'an object', value);
  }

  private list(value: unknown, where: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.fail(where, 'an array', value);
  }

  private probability(value: unknown, where: string): void {
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) this.fail(where, 'a number from 0 to 1', value);
  }

  private count(value: unknown, actual: number, where: string): void {
    if (value !== undefined && value !== actual) this.fail(where, `${actual}, the number of nodes`, value);
  }

  private fail(where: string, expected: string, value: unknown): never {
    throw new WaymarkError(`loadQMRGraph: in '${this.file}', ${where} must be ${expected}, got ${describe(value)}.`);
  }
}
