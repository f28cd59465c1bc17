import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Answers } from "../../answers/index.ts";
import type { OperatorList } from "../../attest/index.ts";
import type { OperatorConfig } from "../../config/index.ts";
import type { Documents } from "../../documents/index.ts";
import type { ChainView } from "../../ingest/index.ts";
import type { Clock } from "../../observe/index.ts";
import type { Store } from "../../store/index.ts";

/** What the routes answer from. */
export interface RouteServices {
  readonly config: OperatorConfig;
  readonly operators: OperatorList;
  readonly answers: Answers;
  readonly documents: Documents;
  readonly store: Store;
  readonly clock: Clock;
  /** Where others reach this operator, without a slash at the end. */
  publicUrl(): string;
  view(): ChainView | null;
  haltReason(): string | null;
}

export type App = OpenAPIHono;
