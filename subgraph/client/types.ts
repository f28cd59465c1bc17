import type { COLLECTIONS, ENUMS } from "./entities.ts";

/** Lower-case hex. */
export type Hex = `0x${string}`;

/** A collection that can be paged by id. */
export type Collection = keyof typeof COLLECTIONS;

type Enums = { [Name in keyof typeof ENUMS]: (typeof ENUMS)[Name][number] };

/** What an agreement's status can be. */
export type AgreementStatus = Enums["AgreementStatus"];
/** What an adjudicator can find. */
export type Outcome = Enums["Outcome"];
/** Why an agreement can end. */
export type TerminalCause = Enums["TerminalCause"];
/** What kinds of events an agreement has. */
export type AgreementEventKind = Enums["AgreementEventKind"];

interface Kinds extends Enums {
  Bytes: Hex;
  BigInt: bigint;
  Int: number;
  Reference: { id: Hex };
  References: { id: Hex }[];
}

type ValueOf<Kind> = Kind extends `${infer Name extends keyof Kinds}?`
  ? Kinds[Name] | null
  : Kind extends keyof Kinds
    ? Kinds[Kind]
    : never;

type Fields<Name extends Collection> = (typeof COLLECTIONS)[Name]["fields"];

/** A stored field of a collection's entities. */
export type Field<Name extends Collection> = keyof Fields<Name> & string;

/** An entity with the fields that were asked for; what it refers to by id alone. */
export type Entity<Name extends Collection, Asked extends Field<Name> = Field<Name>> = {
  [Key in Asked]: ValueOf<Fields<Name>[Key]>;
};
