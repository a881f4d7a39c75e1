/** Completion: names of the library, members of its objects, options and methods, and the program's own names. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { helpCard } from './help-card.ts';
import { type Entry, reference } from './reference.ts';

const WORD = /[\w$]*$/;

export function complete(context: CompletionContext): CompletionResult | null {
  return methodNames(context) ?? members(context) ?? names(context);
}

const asCompletion = (entry: Entry, label = entry.name): Completion => ({
  label,
  type: entry.kind,
  detail: entry.of,
  info: () => helpCard(entry),
});

/** `method: '…'`. */
function methodNames(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/method:\s*['"]\w*/);
  if (before === null) return null;
  const methods = [...new Set(reference().options.map(({ of }) => of))].filter((of) => of !== 'Optimize');
  const typed = /\w*$/.exec(before.text)?.[0].length ?? 0;
  return { from: context.pos - typed, options: methods.map((label) => ({ label: label as string, type: 'enum' })) };
}

/** `T.…`, `nn.…`, `viz.…`. */
function members(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/\b[\w$]+\.[\w$]*$/);
  if (before === null) return null;
  const [object, typed] = before.text.split('.');
  const found = reference().entries.filter(({ name }) => name.startsWith(`${object}.`));
  // Of the program's own objects nothing is known.
  return {
    from: context.pos - typed.length,
    options: found.map((entry) => asCompletion(entry, entry.name.slice(object.length + 1))),
    validFor: WORD,
  };
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: fields to be filled in, not templates
const SNIPPETS: readonly Completion[] = [
  snippetCompletion("Infer({method: '${enumerate}', model: function() {\n\t${}\n}})", {
    label: 'Infer',
    detail: 'with a model',
    type: 'text',
    boost: 1,
  }),
  snippetCompletion('function(${x}) {\n\t${}\n}', { label: 'function', detail: 'expression', type: 'keyword' }),
  snippetCompletion('mapData({data: ${data}}, function(${datum}) {\n\t${}\n})', {
    label: 'mapData',
    detail: 'over data',
    type: 'text',
  }),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above

function names(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/[\w$]+/);
  if (before === null && !context.explicit) return null;
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  if (/Comment|String|TemplateString/.test(node.name)) return null;
  const from = before?.from ?? context.pos;
  const entries = reference().entries.filter(({ name }) => !name.includes('.'));
  const seen = new Set<string>();
  // An option that several methods have is one suggestion.
  const options = insideOptions(context)
    ? reference().options.filter(({ name }) => !seen.has(name) && seen.add(name))
    : [];
  return {
    from,
    options: [
      ...options.map((entry) => ({ ...asCompletion(entry), boost: 2 })),
      ...ownNames(context, from).map((label) => ({ label, type: 'variable', boost: 3 })),
      ...entries.map((entry) => asCompletion(entry)),
      ...SNIPPETS,
    ],
    validFor: WORD,
  };
}

/** Within the braces of `Infer({…})` or `Optimize(model, {…})`, outside any function. */
function insideOptions(context: CompletionContext): boolean {
  for (let node = syntaxTree(context.state).resolveInner(context.pos, -1); node.parent; node = node.parent) {
    if (/Function/.test(node.name)) return false;
    if (node.name !== 'CallExpression') continue;
    return /^(Infer|Optimize)$/.test(context.state.sliceDoc(node.from, node.firstChild?.to));
  }
  return false;
}

/** Names that the program declares anywhere. */
function ownNames(context: CompletionContext, from: number): string[] {
  const found = new Set<string>();
  syntaxTree(context.state).iterate({
    enter: (node) => {
      if (node.name === 'VariableDefinition' && node.from !== from)
        found.add(context.state.sliceDoc(node.from, node.to));
    },
  });
  return [...found];
}
