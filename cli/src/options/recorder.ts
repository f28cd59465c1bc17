import { Option } from "commander";
import { urlValue } from "./values.ts";

/** What {@link recorderOption} adds to a command. */
export interface RecorderOptions {
  readonly recorder?: string;
}

/** `--recorder`, for every command that asks one. */
export function recorderOption(): Option {
  return new Option("--recorder <url>", "the recorder in front of the API that is called")
    .env("ASSAY_RECORDER")
    .argParser(urlValue);
}
