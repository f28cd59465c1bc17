/** A maintenance command was refused; nothing was changed. `hint` says what to do. */
export class MaintenanceError extends Error {
  override name = "MaintenanceError";
  readonly code: MaintenanceErrorCode;
  readonly hint: string;

  constructor(code: MaintenanceErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export type MaintenanceErrorCode =
  "bad_argument" | "nothing_parked" | "not_acknowledged" | "operator_running" | "bad_range" | "unreachable";
