/** Places buffers in one stretch of memory so that those alive at the same time never overlap. */

export interface Lifetime {
  readonly bytes: number;
  /** The first and the last step that needs it. */
  readonly from: number;
  readonly to: number;
}

interface Arena {
  readonly offsets: number[];
  readonly bytes: number;
}

const ALIGNMENT = 16;

/** First fit in order of birth: what dies in a step makes room from the next step on. */
export function arrange(lifetimes: readonly Lifetime[]): Arena {
  const offsets = new Array<number>(lifetimes.length).fill(0);
  const order = lifetimes.map((_, i) => i).sort((i, j) => lifetimes[i].from - lifetimes[j].from);
  const live: { at: number; end: number; to: number }[] = [];
  let total = 0;
  for (const i of order) {
    const { bytes, from, to } = lifetimes[i];
    for (let k = live.length - 1; k >= 0; k--) if (live[k].to < from) live.splice(k, 1);
    const size = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    let at = 0;
    let place = 0;
    // `live` is sorted by address: take the first gap that is wide enough.
    for (; place < live.length; place++) {
      if (live[place].at - at >= size) break;
      at = Math.max(at, live[place].end);
    }
    live.splice(place, 0, { at, end: at + size, to });
    offsets[i] = at;
    total = Math.max(total, at + size);
  }
  return { offsets, bytes: total };
}
