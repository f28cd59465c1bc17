/** Unix seconds of a local date and time as `datetime-local` inputs write it; null when it is none. */
export function readLocalTime(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return null;
  const milliseconds = new Date(text).getTime();
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1_000);
}

/** A local date and time for a `datetime-local` input, whole minutes. */
export function writeLocalTime(seconds: number): string {
  const date = new Date(seconds * 1_000);
  const two = (number: number): string => String(number).padStart(2, "0");
  return (
    `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}` +
    `T${two(date.getHours())}:${two(date.getMinutes())}`
  );
}

/** A time as people read it where they are, with the zone's name: `Thu, 24 Dec 2026, 18:00 CET`. */
export function inLocalZone(seconds: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(seconds * 1_000);
}
