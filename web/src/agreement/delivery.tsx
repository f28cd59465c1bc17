import { utf8Length, type Submission } from "@assay/protocol";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { LongText, Text, WebLink } from "../components/untrusted.tsx";

/** What the seller handed in, as text and nothing else. */
export function Delivery({ submission, text }: { readonly submission: Submission; readonly text: string }) {
  const { files, links, evidence, repository, reports, output } = submission;
  const paths = Object.keys(files);
  return (
    <div className="stack">
      {output !== undefined && (
        <>
          <h3>Output</h3>
          <LongText what="The output that is judged">{output.text}</LongText>
        </>
      )}
      {(output === undefined || submission.summary !== "") && (
        <LongText what="What the seller says about the delivery">{submission.summary}</LongText>
      )}
      <Facts>
        <Fact term="Size">
          {utf8Length(text).toLocaleString("en-US")} bytes, {paths.length}{" "}
          {paths.length === 1 ? "file" : "files"}
        </Fact>
        {output !== undefined && (
          <Fact term="Agent’s signature">
            <Hash value={output.signature} what="signature of the output" />
          </Fact>
        )}
        {repository !== undefined && (
          <Fact term="Repository">
            <WebLink href={repository.url} /> at <code>{repository.commit}</code>
          </Fact>
        )}
        {reports !== undefined && reports.length > 0 && (
          <Fact term="Reports">
            {reports.map(({ reporter, claim, passed }) => (
              <p key={`${reporter}/${claim}`}>
                <Text>{reporter}</Text>: <Text>{claim}</Text>, {passed ? "passed" : "failed"}
              </p>
            ))}
          </Fact>
        )}
      </Facts>
      {paths.map((path) => (
        <details key={path}>
          <summary>
            <Text most={120}>{path}</Text>{" "}
            <span className="muted small">{utf8Length(files[path] ?? "").toLocaleString("en-US")} bytes</span>
          </summary>
          <LongText what={`The file ${path}`}>{files[path] ?? ""}</LongText>
        </details>
      ))}
      {links.length > 0 && (
        <div className="stack">
          <h3>Links</h3>
          <ul>
            {links.map(({ url, sha256, bytes }) => (
              <li key={url}>
                <WebLink href={url} />{" "}
                <span className="muted small">{bytes.toLocaleString("en-US")} bytes,</span>{" "}
                <Hash value={sha256} what="SHA-256" />
              </li>
            ))}
          </ul>
        </div>
      )}
      {evidence.length > 0 && (
        <div className="stack">
          <h3>Evidence</h3>
          {evidence.map(({ source, claim, content }, index) => (
            <details key={index}>
              <summary>
                <Text most={120}>{claim}</Text> <span className="muted small">from</span>{" "}
                <Text most={80}>{source}</Text>
              </summary>
              <LongText what="Evidence">{content}</LongText>
            </details>
          ))}
        </div>
      )}
    </div>
  );
}
