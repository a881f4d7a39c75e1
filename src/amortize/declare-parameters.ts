/** The parameters of a network. */
import { RELATIONS, SAME, SAME_ROUND } from './pack.ts';
import type { Parameters } from './parameters.ts';
import {
  EMBEDDING,
  GATES,
  HEADS,
  layerNames,
  type NetworkSizes,
  outputsOf,
  POINT,
  PRIOR_FEATURES,
  VALUE_FEATURES,
} from './sizes.ts';

/** Declares the parameters that a network of this room needs. Heads start at 0, where the guide is the prior. */
export function declareParameters(
  parameters: Parameters,
  sizes: NetworkSizes,
  counts: { readonly sites: number; readonly signatures: readonly number[]; readonly positions: number },
): void {
  const { hidden, token, read, reads, heads, width } = sizes;
  const inputs = 3 * token + PRIOR_FEATURES;
  const rows = Math.max(8, 2 ** Math.ceil(Math.log2(counts.sites + 1)));
  const e = EMBEDDING;
  parameters.declare('site', [rows, e], 0.3);
  parameters.declare('token site', [rows, token], 0.5);
  parameters.declare('token index', [66, token], 0.5);
  for (let k = 0; k < 3; k++) parameters.declare(`position ${k}`, [counts.positions, e], 0.2);
  for (const gate of GATES) parameters.declare(gate, [e, token], 0.5);
  for (let k = 0; k < 2; k++) parameters.declare(`data position ${k}`, [counts.positions, e], 0.2);
  parameters.declare('signature', [Math.max(1, counts.signatures.length), e], 0.3);
  const wide = 2 * read * reads;
  counts.signatures.forEach((width, s) => {
    parameters.declare(`signature ${s}`, [width, wide], 1 / Math.sqrt(Math.max(1, width)));
  });
  parameters.declare('data key', [e, wide], 0.5 / Math.sqrt(e));
  parameters.declare('spoken', [wide, read * reads], Math.sqrt(2 / wide));
  parameters.declare('query', [e, (reads * e) / 2], 0.5 / Math.sqrt(e));
  parameters.declare('offer', [e, (reads * e) / 2], 0.5 / Math.sqrt(e));
  declareLikeness(parameters, reads);
  parameters.declare('value', [VALUE_FEATURES, token], 0.7);
  parameters.declare('told', [inputs, hidden], Math.sqrt(1 / inputs));
  parameters.declare('peer', [POINT, hidden], Math.sqrt(1 / POINT));
  parameters.declare('point key', [token, POINT], Math.sqrt(1 / token));
  parameters.declare('point gate', [rows, POINT], 1);
  parameters.declare('point query', [hidden, POINT], 0);
  if (heads > 0) {
    const found = heads * width;
    parameters.declare('attention query', [hidden, found], Math.sqrt(1 / hidden));
    for (const name of ['key', 'value']) {
      parameters.declare(`attention ${name}`, [2 * read * reads, found], Math.sqrt(1 / (2 * read * reads)));
    }
    parameters.declare('attention likeness', [RELATIONS, heads], 0);
    parameters.declare('attended', [found, hidden], 0.5 * Math.sqrt(1 / found));
  }
  parameters.declare('reading', [read * reads, hidden], Math.sqrt(1 / (read * reads)));
  parameters.declare('key', [e, hidden], Math.sqrt(1 / e));
  parameters.declare('first bias', [hidden], 0);
  for (const layer of layerNames(sizes)) {
    parameters.declare(layer, [hidden, hidden], Math.sqrt(1 / hidden));
    parameters.declare(`${layer} bias`, [hidden], 0);
  }
  for (const head of HEADS) parameters.declare(`head ${head}`, [hidden, outputsOf(head, sizes)], 0);
}

/**
 * Before training, the first read looks at the iteration (or round) of the choice itself, the second at the next one, the third at all
 * later ones.
 */
function declareLikeness(parameters: Parameters, reads: number): void {
  if (parameters.table.has('likeness')) return;
  parameters.declare('likeness', [RELATIONS, reads], 0);
  const relations = parameters.get('likeness');
  for (const same of [SAME, SAME_ROUND]) {
    relations[same * reads] = 4;
    if (reads > 2) relations[(same + 1) * reads + 1] = 4;
    if (reads > 3) for (let k = 1; k <= 5; k++) relations[(same + k) * reads + 2] = 3 - 0.5 * k;
  }
}
