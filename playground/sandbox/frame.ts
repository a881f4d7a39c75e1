/**
 * The script of the sandboxed frame. It starts workers from text that it is given, hands each the port by which it talks
 * to the page, and ends them. It does nothing else: programs run in the workers, which cannot reach this document.
 */
import type { FrameReply, FrameRequest, WorkerKind } from './protocol.ts';

const texts = new Map<WorkerKind, string>();
const workers = new Map<number, Worker>();

function listen(page: MessagePort): void {
  const say = (reply: FrameReply) => page.postMessage(reply);

  const open = (kind: WorkerKind, number: number, port: MessagePort): void => {
    const url = URL.createObjectURL(new Blob([texts.get(kind) ?? ''], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onerror = (event) => {
      event.preventDefault();
      say({ kind: 'failed', number, message: event.message });
    };
    workers.set(number, worker);
    worker.postMessage(null, [port]);
  };

  page.onmessage = ({ data, ports }: MessageEvent<FrameRequest>) => {
    switch (data.kind) {
      case 'code':
        texts.set(data.worker, data.text);
        return;
      case 'open':
        open(data.worker, data.number, ports[0]);
        return;
      case 'close':
        workers.get(data.number)?.terminate();
        workers.delete(data.number);
        return;
      case 'ping':
        say({ kind: 'pong' });
    }
  };
}

// The first message comes from the page around the frame, and brings the only port that is ever listened to.
addEventListener('message', ({ source, ports }) => source === parent && listen(ports[0]), { once: true });
