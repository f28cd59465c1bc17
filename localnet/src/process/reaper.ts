import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * A shell that outlives this process just long enough to end what it left behind.
 *
 * It reads a ledger from a pipe: `+<pid> <signal>` and `-<pid>` for process groups, `d<path>` for a temporary
 * folder. When the pipe closes, this process is gone, however it went (SIGKILL included): the groups that are
 * still on the ledger are signalled, killed a second later, and the folders removed.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups='' folders=''
while IFS= read -r line; do
  rest=\${line#?}
  case $line in
    +*) groups="$groups$rest;" ;;
    -*) kept='' IFS=';'
        for group in $groups; do [ "\${group%% *}" = "$rest" ] || kept="$kept$group;"; done
        groups=$kept; unset IFS ;;
    d*) folders="$folders$rest
" ;;
  esac
done
IFS=';'
for group in $groups; do kill -s "\${group##* }" -- "-\${group%% *}" 2>/dev/null; done
for turn in 1 2 3 4 5 6 7 8 9 10; do
  left=''
  for group in $groups; do kill -s 0 -- "-\${group%% *}" 2>/dev/null && left="$left$group;"; done
  groups=$left
  [ -z "$groups" ] || sleep 0.1
done
for group in $groups; do kill -s KILL -- "-\${group%% *}" 2>/dev/null; done
IFS='
'
for folder in $folders; do rm -rf -- "$folder"; done
`;

let reaper: ChildProcessByStdio<Writable, null, null> | undefined;

function write(line: string): void {
  if (reaper === undefined) {
    // Its own session: a Ctrl-C in the terminal must not reach it before it has done its work.
    reaper = spawn("/bin/sh", ["-c", SCRIPT], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    });
    reaper.on("error", () => undefined);
    reaper.stdin.on("error", () => undefined);
    reaper.unref();
    // The pipe must not keep this process alive either.
    (reaper.stdin as Writable & { unref?: () => void }).unref?.();
  }
  reaper.stdin.write(`${line}\n`);
}

/** Has process group `pid` ended by `signal` (then SIGKILL) when this process dies before `disown(pid)`. */
export function own(pid: number, signal: NodeJS.Signals): void {
  write(`+${pid} ${signal.replace(/^SIG/, "")}`);
}

/** Takes process group `pid` off the ledger: it has ended. */
export function disown(pid: number): void {
  write(`-${pid}`);
}

/** Has the folder removed when this process dies. A folder that is gone by then is no error. */
export function ownFolder(path: string): void {
  write(`d${path}`);
}
