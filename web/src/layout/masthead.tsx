import { Suspense } from "react";
import { Link, useRoute } from "wouter";
import { useOutlines } from "../network/context.tsx";
import { WalletButtonSlot } from "../slots.tsx";
import { Mark } from "./mark.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const PLACES = [
  { href: "/", title: "Search" },
  { href: "/new", title: "New agreement" },
  { href: "/totals", title: "Totals" },
  { href: "/recompute", title: "Recompute a file" },
] as const;

/** Brand, places, network and wallet. */
export function Masthead() {
  return (
    <header className="masthead">
      <div className="bounds">
        <Link href="/" className="brand">
          <Mark /> Assay
        </Link>
        <nav aria-label="Main">
          <ul>
            {PLACES.map((place) => (
              <Place key={place.href} {...place} />
            ))}
          </ul>
        </nav>
        <div className="tools">
          <Suspense fallback={null}>
            <NetworkChoice />
          </Suspense>
          <ThemeSwitch />
          <WalletButtonSlot />
        </div>
      </div>
    </header>
  );
}

function Place({ href, title }: { readonly href: string; readonly title: string }) {
  const [isHere] = useRoute(href);
  return (
    <li>
      <Link href={href} aria-current={isHere ? "page" : undefined}>
        {title}
      </Link>
    </li>
  );
}

function NetworkChoice() {
  const { all, current, choose } = useOutlines();
  if (all.length < 2) return null;
  return (
    <label className="row small">
      Network{" "}
      <select value={current?.name} onChange={({ target }) => choose(target.value)}>
        {all.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
