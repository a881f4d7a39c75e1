/** What `/metrics` says, in the text form that Prometheus reads. */

/** Upper ends of the classes of times, in seconds. */
const CLASSES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  private readonly responses = new Map<number, number>();
  private readonly times = new Array<number>(CLASSES.length).fill(0);
  private seconds = 0;
  private timed = 0;
  private batches = 0;
  private batched = 0;
  private badWeights = 0;

  /** A response to a request, with how long it took. */
  answered(status: number, seconds: number): void {
    this.responses.set(status, (this.responses.get(status) ?? 0) + 1);
    this.seconds += seconds;
    this.timed++;
    CLASSES.forEach((end, i) => {
      if (seconds <= end) this.times[i]++;
    });
  }

  /** Requests that were computed together. */
  computed(requests: number): void {
    this.batches++;
    this.batched += requests;
  }

  /** An answer whose weights are not to be trusted. */
  doubted(): void {
    this.badWeights++;
  }

  text(queued: number, inFlight: number): string {
    const lines: string[] = [];
    const add = (name: string, kind: string, help: string, values: readonly (readonly [string, number])[]): void => {
      lines.push(`# HELP waymark_${name} ${help}`, `# TYPE waymark_${name} ${kind}`);
      for (const [labels, value] of values) lines.push(`waymark_${name}${labels} ${value}`);
    };
    const byStatus = [...this.responses].sort(([a], [b]) => a - b);
    add(
      'responses_total',
      'counter',
      'Responses by status.',
      byStatus.map(([status, n]) => [`{status="${status}"}`, n]),
    );
    lines.push(
      '# HELP waymark_request_seconds Time from request to response.',
      '# TYPE waymark_request_seconds histogram',
    );
    CLASSES.forEach((end, i) => void lines.push(`waymark_request_seconds_bucket{le="${end}"} ${this.times[i]}`));
    lines.push(`waymark_request_seconds_bucket{le="+Inf"} ${this.timed}`);
    lines.push(`waymark_request_seconds_sum ${this.seconds}`, `waymark_request_seconds_count ${this.timed}`);
    add('queue_length', 'gauge', 'Requests that wait.', [['', queued]]);
    add('in_flight', 'gauge', 'Requests that are being computed.', [['', inFlight]]);
    add('batches_total', 'counter', 'Groups of requests that were computed together.', [['', this.batches]]);
    add('batched_requests_total', 'counter', 'Requests in these groups.', [['', this.batched]]);
    add('khat_above_limit_total', 'counter', 'Answers with a Pareto k above 0.7.', [['', this.badWeights]]);
    // Without the prefix, as servers of all kinds say it.
    const { user, system } = process.cpuUsage();
    lines.push(
      '# HELP process_cpu_seconds_total Processor time of all threads.',
      '# TYPE process_cpu_seconds_total counter',
    );
    lines.push(`process_cpu_seconds_total ${(user + system) / 1e6}`);
    return `${lines.join('\n')}\n`;
  }
}
