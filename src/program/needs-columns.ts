/** Methods whose executions may run side by side, and the functions that stand for them. */
const MENTIONED =
  /['"`](forward|importance|rejection|SMC|optimize)['"`]|\b(SMC|OptimizeThenSample|ParticleFilter|ForwardSample|Rejection)\b/;

/** Whether a program may need its text for executions side by side, judged by the words in it. */
export function needsColumns(source: string): boolean {
  return MENTIONED.test(source);
}

/** Chains, enumerations, and kernels that follow gradients, which have recordings of their own. */
const CHAINS = /\bMCMC\b/g;
const ENUMERATIONS = /['"`]enumerate['"`]|\bEnumerate\w*\b/;
const GRADIENTS = /\bkernel\b['"]?\s*:\s*\{?\s*['"`]?(?:HMC\w*|NUTS)\b/;

/** Whether a program may be worth a text in which executions are recorded, judged likewise. */
export function needsRecording(source: string): boolean {
  if (ENUMERATIONS.test(source)) return true;
  for (const { index } of source.matchAll(CHAINS)) if (!GRADIENTS.test(optionsAround(source, index))) return true;
  return false;
}

/** The text between the brackets around a place. */
function optionsAround(source: string, place: number): string {
  let from = place;
  for (let depth = 0; from > 0; from--) {
    if (source[from] === '}') depth++;
    if (source[from] === '{' && --depth < 0) break;
  }
  let to = place;
  for (let depth = 0; to < source.length; to++) {
    if (source[to] === '{') depth++;
    if (source[to] === '}' && --depth < 0) break;
  }
  return source.slice(from, to);
}
