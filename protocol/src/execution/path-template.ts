import type { Fault } from "../documents/fields.ts";
import { utf8Length } from "../primitives/utf8.ts";

/** Most bytes that a path template may have. */
export const MAX_TEMPLATE_BYTES = 255;

/** Characters of a path segment by RFC 3986, with percent-encoding in its one canonical letter case. */
const CHARACTER = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})";
const PLACEHOLDER = "\\{[A-Za-z_][A-Za-z0-9_]{0,31}\\}";
const SEGMENT = new RegExp(`^(?:${CHARACTER})*(?:${PLACEHOLDER})?(?:${CHARACTER})*$`);
const VALUE = new RegExp(`^(?:${CHARACTER})+$`);
/** `.` and `..`, however they are spelled: servers drop them, and then serve another path. */
const DOTS = /^(?:\.|%2[Ee]){1,2}$/;
/** A slash or backslash in disguise: some servers take it for the end of a segment. */
const HIDDEN_SEPARATOR = /%2[Ff]|%5[Cc]|%00/;

/**
 * What keeps `template` from being a path template; nothing when it is one.
 *
 * A template is an absolute path. A segment of it may hold one `{name}`, which stands for one or more characters of
 * that segment. Only the last segment may be empty, so `/` and a trailing slash can be said.
 */
export function templateFault(template: string): Fault | undefined {
  const bytes = utf8Length(template);
  if (bytes < 1 || bytes > MAX_TEMPLATE_BYTES) {
    return {
      message: `is a path template of ${bytes} bytes`,
      hint: `A path template has 1 to ${MAX_TEMPLATE_BYTES} bytes.`,
    };
  }
  if (!template.startsWith("/")) return { message: "is no absolute path", hint: 'Begin with "/".' };
  const segments = template.slice(1).split("/");
  if (segments.slice(0, -1).includes("")) {
    return { message: "has an empty segment", hint: 'Write one "/" between segments.' };
  }
  if (segments.some((segment) => DOTS.test(segment))) {
    return { message: 'has a "." or ".." segment', hint: "Write the path that it stands for." };
  }
  const bad = segments.find((segment) => !SEGMENT.test(segment) || HIDDEN_SEPARATOR.test(segment));
  return bad === undefined
    ? undefined
    : {
        message: `has the segment ${JSON.stringify(bad)}, which is none`,
        hint: "Use letters, digits, the marks of RFC 3986 and upper-case %XX, with at most one {name} per segment; no query.",
      };
}

/**
 * Whether the path of a request is one that the template stands for: the same segments, byte for byte, each `{name}`
 * one or more characters within its segment. What follows a `?` is not looked at. A path with a `.` or `..` segment
 * or a separator in disguise is none.
 *
 * @param template a valid one, by {@link templateFault}.
 * @param target path and query exactly as sent, in origin form.
 */
export function matchesTemplate(template: string, target: string): boolean {
  const path = pathOf(target);
  const segments = path.split("/");
  const expected = template.split("/");
  return (
    segments.length === expected.length &&
    !HIDDEN_SEPARATOR.test(path) &&
    expected.every((segment, index) => matchesSegment(segment, segments[index] ?? ""))
  );
}

function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

function matchesSegment(segment: string, actual: string): boolean {
  const open = segment.indexOf("{");
  if (open < 0) return segment === actual;
  const [before, after] = [segment.slice(0, open), segment.slice(segment.indexOf("}") + 1)];
  const value = actual.slice(before.length, actual.length - after.length);
  return (
    actual.length > before.length + after.length &&
    actual.startsWith(before) &&
    actual.endsWith(after) &&
    !DOTS.test(actual) &&
    VALUE.test(value)
  );
}
