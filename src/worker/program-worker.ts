/** The worker that runs programs. */
import { run } from '../program/run.ts';
import { serve } from './serve.ts';

serve({}, run);
