import "./policy.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { outlinesAreKnown } from "./network/context.tsx";
import "./styles/index.css";

/** How long the first showing waits for the configuration, which the document has asked for beside this script. */
const PATIENCE_MILLISECONDS = 200;

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
// With it, nothing in the frame moves later.
await Promise.race([outlinesAreKnown, new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLISECONDS))]);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
