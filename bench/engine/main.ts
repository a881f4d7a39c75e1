import { lanes } from './lanes.ts';
import { recorded } from './recorded.ts';
import { scalars } from './scalars.ts';
import { vae } from './vae.ts';

const parts: Record<string, () => void> = { scalars, lanes, recorded, vae };
const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) run();
