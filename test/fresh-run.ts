/** Before each file of tests that shares its thread with others: a run of its own, instead of what the file before has left. */
import { startRun } from '../src/runtime/machine.ts';
import { chooseDevice } from '../src/tensor/devices.ts';
import { quietRun } from './program/quiet-run.ts';

startRun(quietRun(1));
chooseDevice({});
