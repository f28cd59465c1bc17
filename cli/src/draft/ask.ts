import type { Terminal } from "../io.ts";
import type { DraftFlags } from "./draft.ts";

/** What a person is asked for when an agreement is drawn up without flags. */
export interface Asked extends DraftFlags {
  readonly seller: string;
  readonly reward: string;
  readonly deliverBy: string;
}

/** Asks for everything that an agreement needs and no flag gave. */
export async function askForAgreement(
  terminal: Terminal,
  given: DraftFlags & { readonly seller?: string; readonly reward?: string; readonly deliverBy?: string },
  hasTemplate: boolean,
): Promise<Asked> {
  const one = async (known: string | undefined, question: string): Promise<string> =>
    known ?? (await untilAnswered(terminal, question));
  const title = hasTemplate ? given.title : await one(given.title, "Title: ");
  const task = hasTemplate ? given.task : await one(given.task, "Task, in a few sentences: ");
  const require = hasTemplate ? given.require : (given.require ?? (await askRequirements(terminal)));
  return {
    ...given,
    ...(title === undefined ? {} : { title }),
    ...(task === undefined ? {} : { task }),
    ...(require === undefined ? {} : { require }),
    seller: await one(given.seller, "Seller's address: "),
    reward: await one(given.reward, "Reward, such as 25: "),
    deliverBy: await one(given.deliverBy, "Deliver by (a duration such as 3d, or a date): "),
  };
}

async function askRequirements(terminal: Terminal): Promise<string[]> {
  const requirements: string[] = [];
  for (;;) {
    const text = (await terminal.ask(`Requirement ${requirements.length + 1} (empty to end): `)).trim();
    if (text !== "") requirements.push(text);
    else if (requirements.length > 0) return requirements;
  }
}

async function untilAnswered(terminal: Terminal, question: string): Promise<string> {
  for (;;) {
    const answer = (await terminal.ask(question)).trim();
    if (answer !== "") return answer;
  }
}
