/** The paths that a search still has to follow: which comes next is its strategy. */

/** A value taken at a choice, after the choices of its parent: a path through the tree of executions. */
export interface PathNode {
  readonly parent: PathNode | null;
  readonly value: unknown;
  /** Log-weight of the execution up to and including this choice. */
  readonly score: number;
}

export interface Agenda<N extends PathNode> {
  add(node: N): void;
  /** The next path, or undefined if none is left. */
  take(): N | undefined;
}

/** First come, first served: explores the tree level by level. */
export class Queue<N extends PathNode> implements Agenda<N> {
  private nodes: (N | undefined)[] = [];
  private head = 0;

  add(node: N): void {
    this.nodes.push(node);
  }

  take(): N | undefined {
    if (this.head === this.nodes.length) return undefined;
    const node = this.nodes[this.head];
    this.nodes[this.head++] = undefined;
    // Drops the used half now and then, which costs a constant per node.
    if (this.head > 1024 && this.head * 2 > this.nodes.length) {
      this.nodes = this.nodes.slice(this.head);
      this.head = 0;
    }
    return node;
  }
}

/** The likeliest first: a binary heap. Of equally likely paths the one that came first, so that order is certain. */
export class PriorityQueue<N extends PathNode> implements Agenda<N> {
  private readonly nodes: N[] = [];
  private readonly arrivals: number[] = [];
  private arrived = 0;

  add(node: N): void {
    const { nodes, arrivals } = this;
    const arrival = this.arrived++;
    let place = nodes.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (nodes[above].score >= node.score) break;
      nodes[place] = nodes[above];
      arrivals[place] = arrivals[above];
      place = above;
    }
    nodes[place] = node;
    arrivals[place] = arrival;
  }

  take(): N | undefined {
    const { nodes, arrivals } = this;
    if (nodes.length === 0) return undefined;
    const first = nodes[0];
    const last = nodes.pop()!;
    const arrival = arrivals.pop()!;
    if (nodes.length > 0) this.sink(last, arrival);
    return first;
  }

  /** Puts a node into the hole at the top, and others up as far as they come before it. */
  private sink(node: N, arrival: number): void {
    const { nodes, arrivals } = this;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= nodes.length) break;
      if (below + 1 < nodes.length && this.precedes(below + 1, nodes[below].score, arrivals[below])) below++;
      if (!this.precedes(below, node.score, arrival)) break;
      nodes[place] = nodes[below];
      arrivals[place] = arrivals[below];
      place = below;
    }
    nodes[place] = node;
    arrivals[place] = arrival;
  }

  private precedes(place: number, score: number, arrival: number): boolean {
    const own = this.nodes[place].score;
    return own > score || (own === score && this.arrivals[place] < arrival);
  }
}
