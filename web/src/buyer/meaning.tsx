import type { Check } from "@assay/protocol";
import { Text } from "../components/untrusted.tsx";
import { checkMeaning } from "./check-meaning.ts";

/** What decides a requirement, as a sentence; what somebody wrote into it is set apart. */
export function Meaning({ check }: { readonly check: Check | undefined }) {
  return (
    <p className={check === undefined ? "meaning model" : "meaning"}>
      {checkMeaning(check).map((piece, index) =>
        typeof piece === "string" ? (
          piece
        ) : (
          <code key={index}>
            <Text most={200}>{piece.written}</Text>
          </code>
        ),
      )}
    </p>
  );
}
