import type { Check, CheckType } from "@assay/protocol";

/** A check as it stands in the form: every field is text, and may be wrong or empty still. */
export interface CheckDraft {
  readonly type: CheckType;
  readonly fields: Readonly<Record<string, string>>;
}

/** One field of a check's form. */
export interface CheckField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly isOptional: boolean;
}

const PATH: CheckField = {
  name: "path",
  label: "In the file",
  hint: "A path such as src/index.ts. Empty: any file.",
  isOptional: true,
};

/** The kinds of check that the form offers, with what a person has to fill in. */
export const CHECK_KINDS: readonly {
  readonly type: CheckType;
  readonly label: string;
  readonly fields: readonly CheckField[];
}[] = [
  {
    type: "file_exists",
    label: "A file is there",
    fields: [{ ...PATH, label: "Path", hint: "Exactly this path, such as src/index.ts.", isOptional: false }],
  },
  {
    type: "string_present",
    label: "A text occurs",
    fields: [
      {
        name: "needle",
        label: "Text",
        hint: "Exactly these characters, capitals and spaces included.",
        isOptional: false,
      },
      PATH,
    ],
  },
  {
    type: "function_exists",
    label: "A function is defined",
    fields: [
      { name: "name", label: "Function", hint: "Its name, without brackets.", isOptional: false },
      {
        name: "language",
        label: "Language",
        hint: "Empty: by the file's ending.",
        isOptional: true,
      },
      PATH,
    ],
  },
  {
    type: "regex",
    label: "A pattern matches",
    fields: [
      {
        name: "pattern",
        label: "Pattern",
        hint: "Literals, classes, groups, alternatives, repetition, ^ $ \\b. No back-references or look-around.",
        isOptional: false,
      },
      PATH,
    ],
  },
  {
    type: "file_hash",
    label: "A file has a hash",
    fields: [
      { ...PATH, label: "Path", hint: "Exactly this path.", isOptional: false },
      {
        name: "sha256",
        label: "SHA-256",
        hint: "0x and 64 lower-case digits, of the file's bytes.",
        isOptional: false,
      },
    ],
  },
  {
    type: "http_status",
    label: "A web address answers",
    fields: [
      { name: "url", label: "Address", hint: "An http or https URL on a public host.", isOptional: false },
      { name: "status", label: "Status", hint: "Such as 200.", isOptional: false },
    ],
  },
  {
    type: "reported",
    label: "A third party reports it",
    fields: [
      {
        name: "reporter",
        label: "Reporter",
        hint: "The name of one of the reporters below.",
        isOptional: false,
      },
      { name: "claim", label: "Claim", hint: "What the reporter signs, word for word.", isOptional: false },
    ],
  },
  { type: "execution_proof", label: "The recorded calls replay", fields: [] },
];

/** The check that a form amounts to; whether it is valid is for `checkSchema` to say. */
export function checkFrom({ type, fields }: CheckDraft): Check {
  const kind = CHECK_KINDS.find((one) => one.type === type);
  const given = (kind?.fields ?? []).flatMap(({ name, isOptional }): [string, unknown][] => {
    const text = fields[name] ?? "";
    if (text === "" && isOptional) return [];
    return [[name, name === "status" && /^\d{1,9}$/.test(text) ? Number(text) : text]];
  });
  return { type, ...Object.fromEntries(given) } as Check;
}

/** The form of a check that is there already. */
export function draftOfCheck({ type, ...members }: Check): CheckDraft {
  return {
    type,
    fields: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)])),
  };
}
