/** Methods whose executions may run side by side, and the functions that stand for them. */
const MENTIONED = /['"`](forward|importance|rejection|SMC)['"`]|\b(SMC|ParticleFilter|ForwardSample|Rejection)\b/;

/** Whether a program may need its text for executions side by side, judged by the words in it. */
export function needsColumns(source: string): boolean {
  return MENTIONED.test(source);
}

/** Chains and enumerations. The kernels that follow gradients have recordings of their own. */
const RECORDED = /['"`](MCMC|enumerate)['"`]|\b(MCMC|Enumerate\w*)\b/;

/** Whether a program may be worth a text in which executions are recorded, judged likewise. */
export function needsRecording(source: string): boolean {
  return RECORDED.test(source);
}
