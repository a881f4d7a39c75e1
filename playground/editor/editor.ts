/** The editor of programs: CodeMirror with what is known of Waymark. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Fault, Language } from '../sandbox/protocol.ts';
import { complete } from './completion.ts';
import { clearFaults, faultMarks, goTo, showFailure, showFault } from './faults.ts';
import { highlighting } from './highlighting.ts';
import { hoverHelp } from './hover.ts';

export interface EditorOptions {
  readonly text: string;
  readonly language: Language;
  /** The document or shadow root that it will be in. */
  readonly root?: Document | ShadowRoot;
  /** What those who do not see the page are told that it is. */
  readonly label: string;
  /** Ctrl-Enter, or Command-Enter. */
  onRun(): void;
  /** Escape, when it has nothing else to close. */
  onStop(): void;
  onChange(text: string): void;
  /** The compiler's opinion of a text, asked for when nobody has typed for a while. */
  check(text: string): Promise<Fault | undefined>;
}

/** Milliseconds without typing after which the compiler is asked. */
const PAUSE_MS = 350;

export class Editor {
  readonly view: EditorView;
  private readonly syntax = new Compartment();
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(
    parent: Element,
    private readonly options: EditorOptions,
  ) {
    this.view = new EditorView({ parent, root: options.root, state: this.stateOf(options.text, options.language) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another program, with a history of its own. */
  open(text: string, language: Language): void {
    this.view.setState(this.stateOf(text, language));
    this.checkSoon();
  }

  setLanguage(language: Language): void {
    this.view.dispatch({ effects: this.syntax.reconfigure(syntaxOf(language)) });
    this.checkSoon();
  }

  /** Colours the text again, after what is known of the library has been loaded. */
  refresh(): void {
    this.view.dispatch({ effects: this.syntax.reconfigure(this.syntax.get(this.view.state) ?? []) });
  }

  showFailure(fault: Fault): void {
    clearTimeout(this.pause);
    showFailure(this.view, fault);
  }

  clearFaults(): void {
    clearFaults(this.view);
  }

  goTo(line: number, column: number): void {
    goTo(this.view, line, column);
  }

  focus(): void {
    this.view.focus();
  }

  private stateOf(doc: string, language: Language): EditorState {
    return EditorState.create({ doc, extensions: [this.syntax.of(syntaxOf(language)), this.extensions()] });
  }

  private extensions(): Extension {
    const { onRun, onStop, onChange, label } = this.options;
    const done = (act: () => void) => () => {
      act();
      return true;
    };
    /** Escape is left to CodeMirror too, in which a Tab after it leaves the editor. */
    const stop = () => {
      onStop();
      return false;
    };
    return [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: done(onRun), preventDefault: true }])),
      BASICS,
      keymap.of([{ key: 'Escape', run: stop }]),
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (!docChanged) return;
        onChange(this.text);
        this.checkSoon();
      }),
    ];
  }

  private checkSoon(): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(async () => {
      const { text } = this;
      const fault = await this.options.check(text);
      if (text === this.text) showFault(this.view, fault);
    }, PAUSE_MS);
  }
}

const BASICS: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentUnit.of('  '),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [complete], icons: false }),
  highlightActiveLine(),
  highlightSelectionMatches(),
  highlighting,
  hoverHelp,
  faultMarks,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    // Escape, then Tab, leaves the editor by keyboard: CodeMirror's own convention.
    indentWithTab,
  ]),
];

function syntaxOf(language: Language): Extension {
  return javascript({ typescript: language === 'ts' });
}
