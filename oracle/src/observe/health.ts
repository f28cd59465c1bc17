export type HealthStatus = "healthy" | "degraded" | "unhealthy";

/** How one part of the service is. */
export interface ComponentHealth {
  readonly status: HealthStatus;
  /** What is the matter, or what was measured; one sentence. */
  readonly detail: string;
  /** Wall clock, milliseconds, of the last report. */
  readonly at: number;
}

/** Parts that report. A part that has not reported yet is unhealthy. */
export const COMPONENTS = [
  /** Reading the EVM chain: how far, and how far behind its head and its finality. */
  "evm",
  /** The GenLayer network answers and is the configured one. */
  "genlayer",
  /** Every endpoint of both chains by itself. */
  "providers",
  /** Takes writes. */
  "database",
  /** This machine's clock against the blocks of both chains. */
  "clock",
  /** How many signatures pay. */
  "quorum",
  /** The other operators of the set answer. */
  "peers",
  /** Not halted. */
  "signing",
  /** The submitter can pay for deliveries. */
  "balance",
  /** Room for documents. */
  "documents",
] as const;
export type Component = (typeof COMPONENTS)[number];

/** What the service knows about itself. */
export interface Health {
  report(component: Component, status: HealthStatus, detail: string): void;
  components(): Readonly<Record<Component, ComponentHealth>>;
  /** Ready unless a component is unhealthy, or the service is draining. */
  ready(): boolean;
  draining(): boolean;
  drain(): void;
}

export function createHealth(now: () => number): Health {
  const reports = new Map<Component, ComponentHealth>();
  let draining = false;
  const components = () =>
    Object.fromEntries(
      COMPONENTS.map((component) => [
        component,
        reports.get(component) ?? { status: "unhealthy" as const, detail: "not known yet", at: now() },
      ]),
    ) as Record<Component, ComponentHealth>;
  return {
    report(component, status, detail) {
      reports.set(component, { status, detail, at: now() });
    },
    components,
    ready: () => !draining && Object.values(components()).every(({ status }) => status !== "unhealthy"),
    draining: () => draining,
    drain() {
      draining = true;
    },
  };
}
