export { createDocumentsHandler } from "./collect.ts";
export { documentWindowEnd } from "./window.ts";
export {
  LARGEST_DOCUMENT,
  checkDocument,
  createDocuments,
  tooLarge,
  type DocumentSource,
  type Documents,
} from "./documents.ts";
export { DocumentRefusedError, type DocumentRefusalCode } from "./errors.ts";
export { createGatewaySource, pinDocument } from "./ipfs.ts";
export { createMirror, type Mirror } from "./mirror.ts";
export { type StoredDocument } from "./parsed.ts";
