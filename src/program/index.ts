/** Running programs from JavaScript: `import { run } from 'waymark/program'`. */

export { CompileError } from '../compiler/diagnostics.ts';
export { loadProgram, type ProgramText } from './load.ts';
export { Program } from './program.ts';
export { ProgramError, type RunOptions, type RunResult, run } from './run.ts';
