import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";
import type { PureKind } from "./agent-case.ts";
import { profiles } from "./findings.ts";

const text = z.string();
const count = z.number().int().min(0);
/** That reading fails; with a text, which must be part of the reason or be its code. */
const error = z.union([z.literal(true), text.min(1)]).optional();

/** By path in JSON: names and indices, `[*]` for any index. */
const Deltas = z.record(text.regex(/^\$(?:\.[A-Za-z_][\w-]*|\[(?:\*|0|[1-9]\d{0,8})\])+$/), text, {
  error: ({ code }) =>
    code === "invalid_key" ? "must be a path such as $.action.payload.content" : undefined,
});

/** What lies in the folder of a `path` case: text of a file, null for a folder, or a link. */
const TreeEntry = z.union([
  text,
  z.null(),
  z.strictObject({ link: text.min(1) }),
  z.strictObject({ hard_link: text.min(1) }),
]);

/** The frontmatter of the text of a whole `SKILL.md`. */
const frontmatter = {
  /** `folder`: what the folder of the skill is called; left out, as its frontmatter says. */
  input: z.strictObject({
    text,
    profile: z.enum(profiles).default("lenient"),
    folder: text.regex(/^(?!\.{1,2}$)[^/\\\p{Cc}]{1,100}$/u, "must be the name of a folder").optional(),
  }),
  /**
   * `value`: its fields, every scalar as the text that was written; null where none can be read. `codes`: findings of
   * `doctor` that must be among those reported; an empty list: nothing is reported.
   */
  expect: z
    .strictObject({
      value: z.record(z.string(), AnyJson).nullable().optional(),
      codes: z.array(text.min(1)).optional(),
    })
    .refine(({ value, codes }) => value !== undefined || codes !== undefined, "needs value or codes"),
};

/** The parser of what a model streams. */
const jsonStream = {
  /** `chunk_sizes`: the bytes are cut every so many, once for each size; left out, in one chunk and byte by byte. */
  input: z
    .strictObject({
      text: text.optional(),
      base64: z.base64().optional(),
      chunk_sizes: z.array(z.number().int().min(1)).min(1).max(100).optional(),
      max_chars: z.number().int().min(1).optional(),
    })
    .refine((input) => hasOne(input.text, input.base64), "needs either text or base64"),
  /** `deltas`: what is emitted of the string at a path such as `$.action.payload.content`, put together. */
  expect: z
    .strictObject({ value: AnyJson.optional(), deltas: Deltas.optional(), error })
    .refine((expect) => hasOne(expect.value, expect.error), "needs either value or error"),
};

/** The object that is found in a reply with noise around it. */
const jsonExtract = {
  input: z.strictObject({ text }),
  /** `extracted`: whether there was noise. */
  expect: z
    .strictObject({ value: AnyJson.optional(), extracted: z.boolean().optional(), error })
    .refine((expect) => hasOne(expect.value, expect.error), "needs either value or error"),
};

/** The guard of every path that a model names. */
const path = {
  /**
   * Without a tree the words of the path alone are judged. With one, a folder is made of it, with a file `outside.txt`
   * beside it for links that lead out, and the path is opened in it.
   */
  input: z.strictObject({ path: text, tree: z.record(z.string(), TreeEntry).optional() }),
  expect: z
    .strictObject({
      ok: z.literal(true).optional(),
      code: z.enum(["PathTraversalBlocked", "IOError"]).optional(),
    })
    .refine((expect) => hasOne(expect.ok, expect.code), "needs either ok or code"),
};

/** The part of a text below a heading. */
const section = {
  input: z.strictObject({ text, hint: text }),
  expect: z
    .strictObject({ text: text.optional(), code: z.literal("SectionNotFound").optional() })
    .refine((expect) => hasOne(expect.text, expect.code), "needs either text or code"),
};

/** A text that is cut at a line, with the hashes of the whole and of what is left. */
const truncate = {
  input: z.strictObject({ text, max_lines: count.optional(), max_chars: count.optional() }),
  expect: z
    .strictObject({
      text: text.optional(),
      truncated: z.boolean().optional(),
      sha256: text.min(1).optional(),
      excerpt_sha256: text.min(1).optional(),
    })
    .refine((expect) => Object.keys(expect).length > 0, "must not be empty"),
};

function hasOne(a: unknown, b: unknown): boolean {
  return (a === undefined) !== (b === undefined);
}

/** The member that an input is which is nothing but a text. */
export const loneMember: Partial<Record<PureKind, string>> = {
  frontmatter: "text",
  json_stream: "text",
  json_extract: "text",
  path: "path",
};

/** What each pure function is given by a case, and what may be expected of it. */
export const pureShapes = {
  frontmatter,
  json_stream: jsonStream,
  json_extract: jsonExtract,
  path,
  section,
  truncate,
} as const satisfies Record<PureKind, { input: z.ZodType; expect: z.ZodType }>;

export type PureInput<Kind extends PureKind> = z.infer<(typeof pureShapes)[Kind]["input"]>;
export type PureExpect<Kind extends PureKind> = z.infer<(typeof pureShapes)[Kind]["expect"]>;
/** A case for a pure function, checked. */
export type PureTest = {
  [Kind in PureKind]: { kind: Kind; input: PureInput<Kind>; expect: PureExpect<Kind> };
}[PureKind];
