export type { Answers } from "./answers.ts";
export { ANSWER_ERRORS, AnswerError, type AnswerErrorCode, type Issue } from "./errors.ts";
export { createAnswers } from "./own-answers.ts";
export { invalidRequest, readRequest } from "./read-request.ts";
export * from "./schemas/index.ts";
