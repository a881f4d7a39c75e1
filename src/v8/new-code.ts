/**
 * Functions made of text while the engine runs, which are faster than those that interpret. Where a page's content security
 * policy forbids them (no 'unsafe-eval'), callers do without. Asked once: browsers report every attempt.
 */
let allowed: boolean | undefined;

function isAllowed(): boolean {
  if (allowed === undefined) {
    try {
      new Function('');
      allowed = true;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}

/** The value of the body of a function with these parameters, called with these arguments; undefined where that is forbidden. */
export function fromText<F>(
  body: string,
  names: readonly string[] = [],
  given: readonly unknown[] = [],
): F | undefined {
  return isAllowed() ? (new Function(...names, body)(...given) as F) : undefined;
}
