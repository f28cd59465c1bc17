/** The schema's enums: AssemblyScript knows them as strings only. */

export namespace Status {
  export const FUNDED: string = "FUNDED";
  export const ACCEPTED: string = "ACCEPTED";
  export const SUBMITTED: string = "SUBMITTED";
  export const RELEASED: string = "RELEASED";
  export const REFUNDED: string = "REFUNDED";
  export const SPLIT: string = "SPLIT";
}

export namespace Kind {
  export const FUNDED: string = "FUNDED";
  export const ACCEPTED: string = "ACCEPTED";
  export const SUBMITTED: string = "SUBMITTED";
  export const RELEASED: string = "RELEASED";
  export const REFUNDED: string = "REFUNDED";
  export const CONCLUDED: string = "CONCLUDED";
  export const CANCELLED: string = "CANCELLED";
  export const CONCEDED: string = "CONCEDED";
  export const SETTLED: string = "SETTLED";
  export const EXPIRED: string = "EXPIRED";
  export const CREDITED: string = "CREDITED";
}

export namespace Cause {
  export const VERDICT: string = "VERDICT";
  export const CANCELLED: string = "CANCELLED";
  export const CONCEDED: string = "CONCEDED";
  export const SETTLED: string = "SETTLED";
  export const NO_SUBMISSION: string = "NO_SUBMISSION";
  export const NO_VERDICT: string = "NO_VERDICT";
}

export namespace Outcomes {
  export const PASS: string = "PASS";
  export const FAIL: string = "FAIL";
  export const UNDETERMINED: string = "UNDETERMINED";
  export const WITHHELD: string = "WITHHELD";

  /** The outcome that a certificate's code stands for. */
  export function ofCode(code: i32): string {
    if (code == 1) return PASS;
    if (code == 2) return FAIL;
    if (code == 3) return UNDETERMINED;
    if (code == 4) return WITHHELD;
    throw new Error("certificate with outcome code " + code.toString());
  }
}
