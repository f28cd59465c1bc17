import { isWorded } from "../errors.ts";

/** What doctor found out about one thing. */
export interface DoctorFinding {
  /** A stable name of what was looked at. */
  readonly id: string;
  readonly result: "ok" | "warn" | "fail";
  readonly message: string;
  /** What to do about it; null when nothing has to be done. */
  readonly fix: string | null;
}

export const ok = (id: string, message: string): DoctorFinding => ({ id, result: "ok", message, fix: null });
export const warn = (id: string, message: string, fix: string): DoctorFinding => ({
  id,
  result: "warn",
  message,
  fix,
});
export const fail = (id: string, message: string, fix: string): DoctorFinding => ({
  id,
  result: "fail",
  message,
  fix,
});

/** Looks at one thing; what can't be asked fails in its own words. */
export async function attempt(id: string, look: () => Promise<DoctorFinding[]>): Promise<DoctorFinding[]> {
  try {
    return await look();
  } catch (error) {
    if (!isWorded(error)) throw error;
    return [fail(id, error.message, error.hint)];
  }
}
