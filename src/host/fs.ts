/** What is used of the file system outside `src/cli/` and `src/reproduce/`, besides reading and replacing whole files. */
export {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
