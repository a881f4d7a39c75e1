/** The worker that compiles and runs programs. The first message brings the port by which it talks to the page. */
import type { EngineReply, EngineRequest } from '../sandbox/protocol.ts';
import { check } from './check.ts';
import { limitMemory } from './limited-memory.ts';
import { runJob } from './run-job.ts';

/** Megabytes that a program may hold in buffers, where its page says nothing else. */
const MEMORY = 1024;
const setLimit = limitMemory(MEMORY * 2 ** 20);

addEventListener(
  'message',
  ({ ports: [port] }) => {
    const say = (reply: EngineReply) => port.postMessage(reply);
    port.onmessage = async ({ data }: MessageEvent<EngineRequest>) => {
      if (data.kind === 'run') {
        setLimit((data.job.memory ?? MEMORY) * 2 ** 20);
        await runJob(data.job, say);
      } else say({ kind: 'checked', number: data.number, fault: await check(data.job) });
    };
    say({ kind: 'ready' });
  },
  { once: true },
);
