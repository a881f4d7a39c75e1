#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Waymark needs Node 20 or later; this is Node ${process.versions.node}. See https://nodejs.org.`);
  process.exit(1);
}

require('../dist/cli.cjs')
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
