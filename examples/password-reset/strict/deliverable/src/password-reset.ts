import { createHash, randomBytes } from "node:crypto";

/** Milliseconds for which a token is meant to be good. */
const LIFETIME = 30 * 60 * 1000;

interface Pending {
  email: string;
  expiresAt: number;
}

/** Lets members set a new password with a token from their mailbox. */
export class PasswordReset {
  readonly #passwords: Map<string, string>;
  readonly #pending = new Map<string, Pending>();
  readonly #clock: () => number;

  constructor(passwords: Map<string, string>, clock: () => number = Date.now) {
    this.#passwords = passwords;
    this.#clock = clock;
  }

  /** Issues a token for a member, or nothing when the address is unknown. */
  requestReset(email: string): string | undefined {
    if (!this.#passwords.has(email)) return undefined;
    const token = randomBytes(32).toString("hex");
    this.#pending.set(digestOf(token), { email, expiresAt: this.#clock() + LIFETIME });
    return token;
  }

  /** Redeems a token. Throws when it is unknown, used or expired. */
  completeReset(token: string, password: string): void {
    const digest = digestOf(token);
    const pending = this.#pending.get(digest);
    if (!pending) throw new Error("This reset link is not valid");
    this.#pending.delete(digest);
    const now = this.#clock();
    if (pending.expiresAt <= now) throw new Error("This reset link has expired");
    this.#passwords.set(pending.email, password);
  }
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
