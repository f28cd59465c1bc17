import type { ReactNode } from "react";
import { useNetwork } from "../network/context.tsx";
import { Footing } from "./footing.tsx";
import { Masthead } from "./masthead.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { useLocation } from "wouter";

/** What stands around every page. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  return (
    <div className="page">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div>
        <Masthead />
        <Simulation />
      </div>
      <main id="main" className="bounds" tabIndex={-1}>
        <ErrorBoundary key={location}>{children}</ErrorBoundary>
      </main>
      <Footing />
    </div>
  );
}

/** Says so wherever money or judge are not real. */
function Simulation() {
  const { simulated, label } = useNetwork();
  if (!simulated.chain && simulated.judge === null) return null;
  return (
    <aside className="simulation" aria-label="About this network">
      <div className="bounds">
        <p>
          <strong>{label}:</strong>{" "}
          {simulated.chain && "the chain runs on one machine and its money is worth nothing. "}
          {simulated.judge !== null && `The judge is ${simulated.judge}.`}
        </p>
      </div>
    </aside>
  );
}
