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
export const COMPONENTS = ["evm", "genlayer", "database", "clock", "quorum", "signing", "balance"] as const;
export type Component = (typeof COMPONENTS)[number];

/** What the service knows about itself. */
export interface Health {
  report(component: Component, status: HealthStatus, detail: string): void;
  components(): Readonly<Record<Component, ComponentHealth>>;
  /** Ready unless a component is unhealthy, or the service is draining. */
  ready(): boolean;
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
    drain() {
      draining = true;
    },
  };
}
