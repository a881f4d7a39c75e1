/** Several tasks at a time, the longest first. */

/** Does all tasks, so many at a time; resolves when the last is done. */
export async function inParallel<T extends { readonly duration: number }>(
  tasks: readonly T[],
  workers: number,
  perform: (task: T) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks].sort((a, b) => b.duration - a.duration);
  const worker = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await perform(task);
  };
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, worker));
}
