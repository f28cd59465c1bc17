import type { Hex } from "@assay/protocol";

/** An agreement's or a submission's document, with the bytes that were hashed. */
export interface StoredDocument<T> {
  readonly document: T;
  /** The exact canonical text, as it goes to the judge. */
  readonly text: string;
}

/** Characters of all kept documents together. */
const MOST_TEXT = 4_194_304;

/**
 * Documents of one kind that were parsed lately, the least lately used forgotten first. A document's name is its content,
 * so that what is kept can't be out of date; one submission is looked at in every step of its life.
 */
export class ParsedDocuments<T> {
  readonly #kept = new Map<Hex, StoredDocument<T>>();
  #text = 0;

  get(hash: Hex): StoredDocument<T> | null {
    const found = this.#kept.get(hash);
    if (found === undefined) return null;
    this.#kept.delete(hash);
    this.#kept.set(hash, found);
    return found;
  }

  keep(hash: Hex, document: StoredDocument<T>): void {
    if (this.#kept.has(hash)) return;
    this.#kept.set(hash, document);
    this.#text += document.text.length;
    for (const [oldest, { text }] of this.#kept) {
      if (this.#text <= MOST_TEXT) return;
      this.#kept.delete(oldest);
      this.#text -= text.length;
    }
  }
}
