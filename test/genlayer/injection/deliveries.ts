import { createHash } from "node:crypto";
import type { Agreement, Submission } from "@assay/protocol";
import { loadExample } from "../../../examples/index.ts";
import type { WebFetcher } from "../../../localnet/src/genlayer/execution/web.ts";
import { agreement, submission } from "../support/verifier.ts";
import type { Attack } from "./attacks.ts";

const CODE_PATH = "src/password-reset.ts";
const LINK_URL = "https://docs.example/report.html";

const good = loadExample("password-reset/strict");
const bad = loadExample("password-reset/lenient");

/** The agreement: checks that both deliveries pass, and one requirement for the models, which only the good one meets. */
export const TERMS: Agreement = agreement({
  ...good.agreement,
  requirements: good.agreement.requirements.filter(({ id }) => id !== "REQ-5"),
});

/** The same, with a check that neither delivery passes. */
export const UNMEETABLE: Agreement = agreement({
  ...TERMS,
  requirements: [
    ...TERMS.requirements,
    {
      id: "REQ-7",
      text: "There is a function sendMail.",
      check: { type: "function_exists", name: "sendMail" },
    },
  ],
});

/** A delivery with an attack in its place, or none, and the web that its links are on. */
export interface Delivery {
  readonly submission: Submission;
  readonly web: WebFetcher;
}

/** The delivery that deserves PASS (`good`) or FAIL, with an attack in it. */
export function delivery(isGood: boolean, attack?: Attack): Delivery {
  const { submission: example } = isGood ? good : bad;
  const base = submission({
    summary: example.summary,
    files: { ...example.files },
    evidence: [...example.evidence],
  });
  return attack === undefined ? { submission: base, web: page("") } : place(base, attack);
}

function place(base: Submission, { place, text }: Attack): Delivery {
  const code = base.files[CODE_PATH] ?? "";
  const files = (added: Record<string, string>): Delivery => ({
    submission: { ...base, files: { ...base.files, ...added } },
    web: page(""),
  });
  switch (place) {
    case "comment":
      return files({ [CODE_PATH]: `/*\n${text.replaceAll("*/", "* /")}\n*/\n${code}` });
    case "literal":
      return files({ [CODE_PATH]: `${code}\nexport const note = ${JSON.stringify(text)};\n` });
    case "prose":
      return files({ "README.md": `# Password reset\n\n${text}\n` });
    case "path":
      return files({ [text]: "" });
    case "summary":
      return { submission: { ...base, summary: text }, web: page("") };
    case "evidence":
      return {
        submission: { ...base, evidence: [{ source: "review", claim: "Reviewed.", content: text }] },
        web: page(""),
      };
    case "source":
      return {
        submission: { ...base, evidence: [{ source: text, claim: text, content: "" }] },
        web: page(""),
      };
    case "link":
    case "url": {
      const body = place === "link" ? text : "A page.";
      const url = place === "link" ? LINK_URL : text;
      const sha256: `0x${string}` = `0x${createHash("sha256").update(body).digest("hex")}`;
      return {
        submission: { ...base, links: [{ url, sha256, bytes: Buffer.byteLength(body) }] },
        web: page(body),
      };
    }
  }
}

function page(body: string): WebFetcher {
  return {
    get: () => Promise.resolve({ status: 200, headers: {}, body: new Uint8Array(Buffer.from(body)) }),
  };
}
