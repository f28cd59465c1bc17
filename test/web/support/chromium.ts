import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

/**
 * Where Debian and others put it. Its build without windows comes first: it takes a fifth less of the processor. The
 * launcher in Debian's /usr/bin only adds options for people.
 */
const PLACES = [
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/lib/chromium/chromium",
  ...(process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) =>
      ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map((name) =>
        join(folder, name),
      ),
    ),
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * The browser of the tests: `ASSAY_CHROMIUM`, else the first that is found.
 *
 * @throws with what to install when there is none.
 */
function findChromium(): string {
  const named = process.env["ASSAY_CHROMIUM"];
  const found = (named === undefined || named === "" ? PLACES : [named]).find(isProgram);
  if (found !== undefined) return found;
  throw new Error(
    named === undefined || named === ""
      ? "The tests of the page need Chromium, and none was found. Install it (Debian: apt-get install " +
          "chromium-headless-shell fonts-noto-core), or set ASSAY_CHROMIUM to the path of one."
      : `ASSAY_CHROMIUM is ${named}, which is no program. Set it to the path of Chromium.`,
  );
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    // Figures are taken on a quiet network and an empty cache: nothing of its own accord.
    args: ["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"],
  });

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
