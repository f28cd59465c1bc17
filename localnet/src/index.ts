export { LocalnetError, type LocalnetErrorCode } from "./errors.ts";
