/** Methods whose executions may run side by side, and the functions that stand for them. */
const MENTIONED = /['"`](forward|importance|rejection|SMC)['"`]|\b(SMC|ParticleFilter|ForwardSample|Rejection)\b/;

/** Whether a program may need its text for executions side by side, judged by the words in it. */
export function needsColumns(source: string): boolean {
  return MENTIONED.test(source);
}

/** Chains, enumerations, and kernels that follow gradients, which have recordings of their own. */
const CHAINS = /\bMCMC\b/g;
const ENUMERATIONS = /['"`]enumerate['"`]|\bEnumerate\w*\b/;
const GRADIENTS = /\b(HMC\w*|NUTS)\b/g;

/** Whether a program may be worth a text in which executions are recorded, judged likewise. */
export function needsRecording(source: string): boolean {
  const count = (words: RegExp): number => source.match(words)?.length ?? 0;
  return ENUMERATIONS.test(source) || count(CHAINS) > count(GRADIENTS);
}
