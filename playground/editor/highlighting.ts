/** Colours of the text, from variables of the page, so that a theme is a matter of style sheets alone. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { entryNamed } from './reference.ts';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className], color: 'var(--code-type)' },
  { tag: tags.definition(tags.variableName), color: 'var(--code-definition)' },
  { tag: [tags.propertyName], color: 'var(--code-property)' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--code-operator)' },
]);

/** Names of the library stand out: they are what a probabilistic program adds to JavaScript. */
const libraryMarks = new MatchDecorator({
  regexp: /(?<![.\w$])[A-Za-z_]\w*(?=\s*[(.{])/g,
  decoration: ([name]) => (entryNamed(name) === undefined ? null : Decoration.mark({ class: 'cm-library' })),
});

const library = ViewPlugin.define(
  (view) => ({
    marks: libraryMarks.createDeco(view),
    update(update: ViewUpdate) {
      // What is known of the library may have been loaded since.
      const anew = update.transactions.some(({ reconfigured }) => reconfigured);
      this.marks = anew ? libraryMarks.createDeco(update.view) : libraryMarks.updateDeco(update, this.marks);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--editor)', height: '100%', fontSize: 'var(--code-size, 14px)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '10px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--editor)', color: 'var(--faint)', border: 'none', paddingLeft: '4px' },
  '.cm-activeLine': { backgroundColor: 'var(--active-line)' },
  // A page may have many editors, of which one is worked in.
  '&:not(.cm-focused) :is(.cm-activeLine, .cm-activeLineGutter)': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--active-line)', color: 'var(--soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--match)', outline: 'none' },
  '.cm-library': { color: 'var(--code-library)' },
  '.cm-fault-line': { backgroundColor: 'var(--fault-line)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  // The card beside the list is outside of the list's box.
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { borderRadius: '8px', fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.65' },
  '.cm-tooltip.cm-completionInfo': { padding: '0', maxWidth: '26rem', width: 'max-content' },
  '.help-card': {
    padding: '8px 12px',
    maxWidth: '26rem',
    fontFamily: 'var(--sans)',
    fontSize: '13px',
    lineHeight: '1.45',
  },
  '.help-card pre': {
    margin: '0 0 6px',
    whiteSpace: 'pre-wrap',
    fontFamily: 'var(--mono)',
    fontSize: '12px',
    color: 'var(--code-library)',
  },
  '.help-card p': { margin: '4px 0' },
  '.help-card code': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '.cm-panel input, .cm-panel button': { font: 'inherit' },
  '.cm-diagnostic': {
    padding: '6px 10px',
    fontFamily: 'var(--sans)',
    fontSize: '13px',
    maxWidth: '34rem',
    whiteSpace: 'pre-wrap',
  },
});

export const highlighting = [look, syntaxHighlighting(colours), library];
