/** Methods whose executions may run side by side, and the functions that stand for them. */
const MENTIONED = /['"`](forward|importance|rejection|SMC)['"`]|\b(SMC|ParticleFilter|ForwardSample|Rejection)\b/;

/** Whether a program may need its text for executions side by side, judged by the words in it. */
export function needsColumns(source: string): boolean {
  return MENTIONED.test(source);
}
