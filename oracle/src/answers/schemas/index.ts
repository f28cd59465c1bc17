export {
  STAGES,
  agreementFilterIn,
  agreementOut,
  agreementPageOut,
  limitIn,
  partyPageOut,
  timelineOut,
  type AgreementFilter,
  type AgreementPage,
  type AgreementView,
  type PartyPage,
  type Stage,
  type Timeline,
} from "./agreements.ts";
export { hireOut, hirePolicyIn, type HireRequest, type HireView } from "./hire.ts";
export { preparationOut, type Preparation } from "./prepare.ts";
export { previewIn, previewOut, type PreviewView } from "./preview.ts";
export { adjudicationsIn, byCategoryIn, reputationOut, type ReputationView } from "./reputation.ts";
export {
  addressIn,
  addressOut,
  caip10Of,
  caip2Of,
  hashIn,
  hashOut,
  sourceOut,
  type Source,
} from "./values.ts";
export { attestationOut, verdictOut, type AttestationView, type VerdictView } from "./verdicts.ts";
