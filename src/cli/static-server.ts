/** Serves the files of a folder on this machine alone. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { readRegularFile } from '../host/regular-file.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Sent with every file. Pages of others may use the element from here: there is nothing secret in these files. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** The frame of the playground keeps to its rules even if it is opened by itself. */
const SANDBOX = { 'Content-Security-Policy': 'sandbox allow-scripts' };

/** The file that a request is for, below the folder; undefined if it lies elsewhere. */
export function fileFor(folder: string, url: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  return file.startsWith(`${normalize(folder)}${sep}`) && !path.includes('\0') ? file : undefined;
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const refuse = (status: number, text: string) => {
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(405, 'Files can be read here, no more.');
    return;
  }
  const file = fileFor(folder, request.url ?? '/');
  try {
    if (file === undefined) throw new Error('outside');
    const bytes = readRegularFile(file);
    const own = file.endsWith('sandbox.html') ? SANDBOX : {};
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...HEADERS, ...own, 'Content-Type': type, 'Content-Length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  } catch {
    refuse(404, 'There is no such file.');
  }
}

/** Starts the server; port 0 is any that is free. Rejects if the port cannot be had. */
export function serveFolder(folder: string, port: number): Promise<Server> {
  const server = createServer((request, response) => answer(folder, request, response));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
