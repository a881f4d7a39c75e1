import { lanes } from './lanes.ts';
import { reportBars } from './measure.ts';
import { recorded } from './recorded.ts';
import { scalars } from './scalars.ts';
import { startUp } from './start-up.ts';
import { vae } from './vae.ts';

const parts: Record<string, () => void | Promise<void>> = { start: startUp, scalars, lanes, recorded, vae };
const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await run();
reportBars();
