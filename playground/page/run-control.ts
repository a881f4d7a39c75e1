/** Run, stop, clear, and what is said of a run beside them. */
import { element, icon } from '../results/dom.ts';
import { duration } from '../results/progress-card.ts';
import type { ResultsView } from '../results/results-view.ts';
import type { Fault, Job } from '../sandbox/protocol.ts';
import type { Ending, Runner, Running } from '../sandbox/runner.ts';
import { parts } from './parts.ts';

export interface Occasions {
  job(): Job;
  started(): void;
  failed(fault: Fault): void;
  /** What is shown where there are no results. */
  idle(): HTMLElement;
}

type State = 'idle' | 'running' | 'done' | 'failed';

export class RunControl {
  private running: Running | undefined;
  private started = 0;
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly runner: Runner,
    private readonly results: ResultsView,
    private readonly occasions: Occasions,
  ) {}

  /** Shows the buttons, and has a worker started. */
  ready(): void {
    const { run, stop, clear, tabProgram, tabResults } = parts;
    run.replaceChildren(icon('run'), 'Run');
    stop.replaceChildren(icon('stop'), 'Stop');
    run.title = 'Run (Ctrl-Enter)';
    stop.title = 'Stop (Escape)';
    run.onclick = () => this.run();
    stop.onclick = () => this.stop();
    clear.onclick = () => this.clear();
    tabProgram.onclick = () => this.show('program');
    tabResults.onclick = () => this.show('results');
    addEventListener('keydown', (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter' && !event.defaultPrevented) this.run();
      else if (event.key === 'Escape' && document.querySelector('dialog') === null) this.stop();
    });
    this.clear();
    this.runner.prepare();
  }

  run(): void {
    this.running?.stop();
    const { results, occasions } = this;
    results.clear();
    occasions.started();
    this.started = performance.now();
    this.say('running', 'Running…');
    this.clock = setInterval(() => this.say('running', `Running · ${duration(this.elapsed)}`), 200);
    let failed = false;
    this.buttons(true);
    this.show('results');
    this.running = this.runner.run(occasions.job(), Number(parts.limit.value), {
      reply: (reply) => {
        results.reply(reply);
        if (reply.kind !== 'fault') return;
        failed = true;
        occasions.failed(reply.fault);
      },
      end: (ending) => this.end(ending, failed),
    });
  }

  stop(): void {
    this.running?.stop();
  }

  /** Takes results away. */
  clear(): void {
    this.results.clear();
    this.results.root.append(this.occasions.idle());
    parts.clear.hidden = true;
    this.say('idle', 'Ready');
  }

  /** Which of the two is seen where there is room for one. */
  show(tab: 'program' | 'results'): void {
    parts.main.dataset.tab = tab;
    parts.tabProgram.setAttribute('aria-selected', String(tab === 'program'));
    parts.tabResults.setAttribute('aria-selected', String(tab === 'results'));
  }

  private get elapsed(): number {
    return (performance.now() - this.started) / 1000;
  }

  private end(ending: Ending, failed: boolean): void {
    clearInterval(this.clock);
    this.running = undefined;
    this.results.end(ending);
    this.buttons(false);
    parts.clear.hidden = false;
    const time = duration(ending.kind === 'done' ? ending.milliseconds / 1000 : this.elapsed);
    if (ending.kind === 'stopped') this.say('idle', `Stopped after ${time}`);
    else if (ending.kind !== 'done') this.say('failed', 'Ended');
    else this.say(failed ? 'failed' : 'done', failed ? 'Failed' : `Done in ${time}`);
  }

  private buttons(running: boolean): void {
    const had = document.activeElement;
    parts.run.hidden = running;
    parts.stop.hidden = !running;
    // Whoever works by keyboard stays where they were.
    if (had === parts.run || had === parts.stop) (running ? parts.stop : parts.run).focus();
  }

  private say(state: State, text: string): void {
    parts.status.dataset.state = state;
    parts.status.replaceChildren(element('span', {}, text));
  }
}
