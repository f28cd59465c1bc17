import type { z } from "@hono/zod-openapi";
import type { Desk } from "./desk.ts";
import type { Plan } from "./step.ts";

/** One transition that can be prepared. */
export interface Operation<Request = unknown> {
  /** As the contract's function is called. */
  readonly name: string;
  readonly title: string;
  /** In one or two sentences: who does what, and what it leads to. */
  readonly summary: string;
  readonly request: z.ZodType<Request>;
  /** @throws PrepareError */
  plan(desk: Desk, request: Request): Promise<Plan>;
}

/** Ties a request's type to its schema. */
export function operation<Request>(definition: Operation<Request>): Operation<Request> {
  return definition;
}
