/** A record as the judge's view `get_record` returns it; a workflow's verdict is brought into the same form. */
export interface StoredRecord {
  /** 0 when there is none. */
  readonly version: number;
  readonly sequence: number;
  readonly sender: string;
  readonly key: string;
  /** Canonical JSON. */
  readonly record: string;
  readonly adjudicationHash: string;
}
