/** The worker that compiles and runs programs. The first message brings the port by which it talks to the page. */
import type { EngineReply, EngineRequest } from '../sandbox/protocol.ts';
import { check } from './check.ts';
import { runJob } from './run-job.ts';

addEventListener(
  'message',
  ({ ports: [port] }) => {
    const say = (reply: EngineReply) => port.postMessage(reply);
    port.onmessage = async ({ data }: MessageEvent<EngineRequest>) => {
      if (data.kind === 'run') await runJob(data.job, say);
      else say({ kind: 'checked', number: data.number, fault: await check(data.job) });
    };
    say({ kind: 'ready' });
  },
  { once: true },
);
