import { documentOf, openDeal, type OpenedDeal } from "../deal/open-deal.ts";
import type { Agreement, Submission } from "@assay/protocol";
import type { WorkOptions } from "../options/work.ts";
import type { Session } from "../session.ts";
import { collect, type Collected } from "./collect.ts";
import { requireFitting } from "./fitting.ts";
import { linksTo } from "./links.ts";
import { prepare, preview, type Prepared, type Preview } from "./submission.ts";

const NO_FILES: Collected = { files: {}, bytes: 0, ignored: [] };

/** A folder as a submission to an agreement, and what its checks will say. */
export interface DraftWork {
  readonly deal: OpenedDeal;
  readonly agreement: Agreement;
  readonly collected: Collected;
  readonly prepared: Prepared;
  readonly previews: readonly Preview[];
}

/**
 * Makes a folder into a submission and runs every check that can be run here. Nothing is sent.
 *
 * @param folder null for a submission without files.
 * @param sign makes the signed output of a joint agreement's agent.
 */
export async function draftWork(
  session: Session,
  named: string,
  folder: string | null,
  options: WorkOptions,
  sign?: (deal: OpenedDeal, agreement: Agreement) => Promise<Submission["output"]>,
): Promise<DraftWork> {
  const { network } = session;
  const deal = await openDeal(named, network, network.chainId);
  const { document: agreement } = await documentOf(deal, network.operators);
  const collected = folder === null ? NO_FILES : await collect(folder);
  const output = await sign?.(deal, agreement);
  const prepared = await prepare(deal.agreementId, collected, {
    ...(options.notes === undefined ? {} : { file: options.notes }),
    ...(options.summary === undefined ? {} : { summary: options.summary }),
    ...(output === undefined ? {} : { output }),
    links: await linksTo(options.link ?? [], (line) => {
      session.io.diagnose(line);
    }),
  });
  requireFitting(agreement, prepared.submission);
  const subject = { chainId: network.chainId, escrow: network.escrow, agreementId: deal.agreementId };
  return { deal, agreement, collected, prepared, previews: preview(agreement, prepared.submission, subject) };
}
