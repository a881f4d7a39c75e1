/** Stands in for Node's modules until none is on a path that a browser takes. */
import type { Plugin } from 'vite';

const NAMES: Record<string, string[]> = {
  module: ['createRequire', 'isBuiltin'],
  path: ['dirname', 'resolve', 'join', 'extname', 'basename'],
  fs: [
    'readFileSync',
    'existsSync',
    'statSync',
    'openSync',
    'closeSync',
    'fstatSync',
    'constants',
    'accessSync',
    'appendFileSync',
    'writeFileSync',
    'linkSync',
    'rmSync',
    'renameSync',
    'unlinkSync',
    'mkdirSync',
    'fsyncSync',
    'writeSync',
    'lstatSync',
    'realpathSync',
    'readlinkSync',
    'chmodSync',
    'fchmodSync',
    'openSync',
    'ftruncateSync',
    'copyFileSync',
    'mkdtempSync',
    'readdirSync',
    'fchownSync',
    'chownSync',
    'readSync',
    'symlinkSync',
  ],
  url: ['fileURLToPath', 'pathToFileURL'],
  crypto: ['createHash'],
  buffer: ['constants'],
  zlib: ['gunzipSync'],
  worker_threads: [
    'threadId',
    'Worker',
    'isMainThread',
    'parentPort',
    'workerData',
    'receiveMessageOnPort',
    'MessageChannel',
  ],
  os: ['hostname', 'cpus', 'availableParallelism'],
  assert: [],
  process: [],
  perf_hooks: ['performance'],
  util: ['inspect'],
  vm: [],
  child_process: ['spawn', 'spawnSync', 'execFileSync'],
  v8: ['setFlagsFromString'],
};

export const nodeStubs = (): Plugin => ({
  name: 'node-stubs',
  enforce: 'pre',
  resolveId: (id) =>
    id.startsWith('node:') || ['module', 'fs'].includes(id) ? `\0stub:${id.replace('node:', '')}` : undefined,
  load(id) {
    if (!id.startsWith('\0stub:')) return;
    const name = id.slice(6);
    if (name === 'path')
      return `export const resolve=(...p)=>p.join('/'); export const join=resolve; export const dirname=(p)=>p.replace(/\\/?[^/]*$/,'')||'.'; export const extname=(p)=>/\\.[^./]*$/.exec(p)?.[0]??''; export const basename=(p)=>p.replace(/^.*\\//,''); export default {};`;
    if (name === 'buffer') return 'export const constants={MAX_STRING_LENGTH:5e8};';
    if (name === 'worker_threads')
      return 'export const threadId=0,isMainThread=true,parentPort=null,workerData=null; export class Worker{constructor(){throw new Error("no threads")}}; export const receiveMessageOnPort=()=>{}; export const MessageChannel=globalThis.MessageChannel;';
    if (name === 'module')
      return `export const createRequire=()=>(n)=>{throw new Error('no module '+n)}; export const isBuiltin=()=>false;`;
    return `${(NAMES[name] ?? []).map((n, i, all) => (all.indexOf(n) === i ? `export const ${n}=()=>{throw new Error('${n} is not there')};` : '')).join('\n')} export default {};`;
  },
});
