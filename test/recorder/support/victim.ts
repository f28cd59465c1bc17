/** A recorder in a process of its own that kills itself, as hard as can be, at one boundary. */
import { readKey, readSettings, startRecorder } from "@assay/recorder";

const [boundary, passage] = [process.argv[2], Number(process.argv[3])];
let passed = 0;

const recorder = await startRecorder(readSettings(process.env), readKey(process.env), {
  at(name) {
    if (name !== boundary) return;
    passed += 1;
    if (passed === passage) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(`${recorder.url}\n`);
