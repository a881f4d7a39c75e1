/** Programs that were written here, kept by the browser: the newest first. */
import { type Program, programFrom } from './program.ts';

const KEY = 'waymark.drafts';
const MOST = 30;

export interface Draft extends Program {
  readonly id: string;
  /** When it was last changed, in milliseconds. */
  readonly when: number;
}

export function drafts(): Draft[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((one) => {
      const program = programFrom(one);
      const { id, when } = (one ?? {}) as Record<string, unknown>;
      if (program === undefined || typeof id !== 'string' || typeof when !== 'number') return [];
      return [{ ...program, id, when }];
    });
  } catch {
    // A browser that keeps nothing, or something that is not ours.
    return [];
  }
}

/** False if the browser would not keep it. */
export function keep(id: string, program: Program): boolean {
  const others = drafts().filter((one) => one.id !== id);
  for (let most = MOST; most > 0; most = Math.floor(most / 2)) {
    const kept: Draft[] = [{ ...program, id, when: Date.now() }, ...others].slice(0, most);
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
      return true;
    } catch {
      // No room: the oldest go first.
    }
  }
  return false;
}

export const newId = (): string => crypto.randomUUID();
