/** How many agreements the first page lists. */
export const LATEST = 8;
