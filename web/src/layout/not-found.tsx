import { Link } from "wouter";
import { Page } from "./page.tsx";

/** There is no page at this path. */
export function NotFound() {
  return (
    <Page title="No such page">
      <p>
        Nothing has this address. <Link href="/">Search</Link> for an agreement, a party or a verdict instead.
      </p>
    </Page>
  );
}
