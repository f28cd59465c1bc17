import { spawnSync } from "node:child_process";

/** Every TypeScript project of the repository, the root (scripts, tests, examples) last. */
const PROJECTS = [
  "protocol",
  "localnet",
  "oracle",
  "subgraph",
  "recorder",
  "evidence",
  "cli",
  "web",
  "web/host",
  "test/web",
  ".",
];

let failures = 0;
for (const project of PROJECTS) {
  process.stderr.write(`tsc --noEmit -p ${project}\n`);
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/typescript/bin/tsc", "--noEmit", "-p", project],
    {
      stdio: "inherit",
    },
  );
  if (status !== 0) failures++;
}
process.exit(failures === 0 ? 0 : 1);
