/** Before each file of tests: only what is counted decides how executions are run, and never the clock, so that tests go the same way each time. */
import { meter } from '../src/lanes/columns/meter.ts';

meter.clock = null;
