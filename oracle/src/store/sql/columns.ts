import { StoreError } from "../errors.ts";
import type { Row } from "./script.ts";

/** A column that is never null. @throws StoreError when it holds something else. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new StoreError(`column ${column} holds no text`);
  return value;
}

export function optionalText(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** @throws StoreError when it holds no integer that a number can carry. */
export function integer(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    throw new StoreError(`column ${column} holds no integer`);
  return value;
}

export function optionalInteger(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}
