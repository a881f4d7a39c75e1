/**
 * Types for imports of programs: `/// <reference types="waymark/wppl" />`. The value of the program is the default export, what it
 * declares at top level has its name; of neither a type is known.
 */
declare module '*.wppl';
