/** The schema's enums, and the names of facts: AssemblyScript knows them as strings only. */

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

/** What an agreement that ended is counted as. */
export namespace Fact {
  export const PASSED: string = "PASSED";
  export const FAILED: string = "FAILED";
  export const UNDETERMINED: string = "UNDETERMINED";
  export const WITHHELD: string = "WITHHELD";
  export const NO_SHOW: string = "NO_SHOW";
  export const LAPSED: string = "LAPSED";
  export const UNJUDGED: string = "UNJUDGED";
  export const CANCELLED: string = "CANCELLED";
  export const CONCEDED_BY_BUYER: string = "CONCEDED_BY_BUYER";
  export const CONCEDED_BY_SELLER: string = "CONCEDED_BY_SELLER";
  export const DECLINED: string = "DECLINED";
  export const SETTLED: string = "SETTLED";
}
