/** Installs amortised inference: imported with the engine, for its effect. */
import { amortize } from './amortize.ts';
import { amortizing } from './front.ts';
import { loadNet } from './net-file.ts';

amortizing.current = { amortize, load: loadNet };
