import { Suspense, type ReactNode } from "react";
import { useLocation } from "wouter";
import { useOutlines } from "../network/context.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Masthead } from "./masthead.tsx";
import { later } from "./shown.ts";

const Footing = later(() => import("./footing.tsx"));

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
        <Suspense fallback={null}>
          <Simulation />
        </Suspense>
      </div>
      <main id="main" className="bounds" tabIndex={-1}>
        <ErrorBoundary key={location}>{children}</ErrorBoundary>
      </main>
      <footer className="footing">
        <Suspense fallback={null}>
          <Footing />
        </Suspense>
      </footer>
    </div>
  );
}

/** Says so wherever money or judge are not real. */
function Simulation() {
  const { current } = useOutlines();
  if (current === undefined) return null;
  const { simulated, label } = current;
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
