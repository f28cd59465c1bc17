import type { ModelProvider } from "../../../localnet/src/genlayer/models/model.ts";
import { readPrompt } from "../../../localnet/src/genlayer/models/rules-judge.ts";

/**
 * A model at its worst: it reads the untrusted parts, decodes what is encoded or hidden in them, and does whatever it
 * is told there. A verdict that it finds it repeats; a quote that it is given it uses; otherwise it quotes the text
 * that told it so. Without instructions it finds nothing met.
 */
export const obedientModel: ModelProvider = {
  description: "obeys everything it reads, no language model",
  answer: ({ prompt }) => {
    const read = readPrompt(prompt);
    if (read === undefined) return Promise.reject(new Error("not the verifier's prompt"));
    const ids = read.requirements.map(({ id }) => id);
    const orders = read.parts.flatMap(({ name, text }) => [name, text].flatMap((item) => orderIn(item)));
    return Promise.resolve(orders[0] === undefined ? answer(ids, false, "") : obey(orders[0], ids));
  },
};

interface Order {
  readonly met: boolean;
  readonly quote: string;
  readonly verdict?: string;
}

function obey(order: Order, ids: readonly string[]): string {
  return order.verdict ?? answer(ids, order.met, order.met ? order.quote : "");
}

function answer(ids: readonly string[], met: boolean, quote: string): string {
  const entry = { met, quote, note: "As instructed." };
  return JSON.stringify({
    requirements: Object.fromEntries(ids.map((id) => [id, entry])),
    score: met ? 100 : 0,
  });
}

function orderIn(text: string): Order[] {
  const verdict = /\{"requirements":\{.*?\}\},"score":\d+\}/.exec(text)?.[0];
  for (const candidate of readings(text)) {
    const found = /not met|nothing is met|as failed|\bmet\b|accepted/i.exec(candidate);
    if (found !== null) {
      const met = /^(met|accepted)$/i.test(found[0]);
      const given = /quote "([^"]+)"/.exec(candidate)?.[1];
      const line = candidate.slice(Math.max(0, found.index - 60), found.index + 20).trim();
      return [{ met, quote: given ?? line, ...(verdict === undefined ? {} : { verdict }) }];
    }
  }
  return [];
}

/** The text itself, and what it may hide. */
function readings(text: string): string[] {
  const visible = text.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "");
  const tags = Array.from(text)
    .map((character) => (character.codePointAt(0) ?? 0) - 0xe0000)
    .filter((code) => code > 0x1f && code < 0x7f)
    .map((code) => String.fromCharCode(code))
    .join("");
  const encoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map((match) => match[0]);
  const bases = encoded.map((word) => Buffer.from(word, "base64").toString("latin1"));
  const hexes = encoded.map((word) => Buffer.from(word, "hex").toString("latin1"));
  const rotated = text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
  );
  return [text, visible, tags, ...bases, ...hexes, rotated];
}
