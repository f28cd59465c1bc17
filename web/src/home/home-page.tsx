import { Page } from "../layout/page.tsx";

/** What this is, a search, and the escrow's books. */
export default function HomePage() {
  return (
    <Page title="Assay" heading="Escrow that pays for proven work">
      <p>…</p>
    </Page>
  );
}
