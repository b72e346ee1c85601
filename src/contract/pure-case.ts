import * as z from "zod";
import type { PureKind } from "./agent-case.ts";
import { profiles } from "./diagnostic.ts";
import { AnyJson } from "./json.ts";

const text = z.string();
const count = z.number().int().min(0);
/** That reading fails; with a text, which has to stand in the reason or be its code. */
const failure = z.strictObject({ error: z.union([z.literal(true), text.min(1)]) });
/** Where one member is enough, it may stand alone. */
const orAlone = <Shape extends z.ZodType>(shape: Shape, member: string) =>
  z.preprocess((input) => (typeof input === "string" ? { [member]: input } : input), shape);

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
  input: orAlone(
    z.strictObject({ text, profile: z.enum(profiles).default("lenient"), folder: text.min(1).optional() }),
    "text",
  ),
  /**
   * `value`: its fields, every scalar as the text that was written; null where none can be read. `codes`: findings of
   * `doctor` that must be among those told; an empty list: nothing is told.
   */
  expect: z.union([
    z.strictObject({
      value: z.record(z.string(), AnyJson).nullable(),
      codes: z.array(text.min(1)).optional(),
    }),
    z.strictObject({ codes: z.array(text.min(1)) }),
  ]),
};

/** The parser of what a model streams. */
const jsonStream = {
  /** `chunk_sizes`: the bytes are cut every so many, once for each size; left out, in one chunk and byte by byte. */
  input: orAlone(
    z
      .strictObject({
        text: text.optional(),
        base64: z.base64().optional(),
        chunk_sizes: z.array(z.number().int().min(1)).min(1).max(100).optional(),
        max_chars: z.number().int().min(1).optional(),
      })
      .refine(({ text, base64 }) => (text === undefined) !== (base64 === undefined), {
        error: "needs either text or base64",
      }),
    "text",
  ),
  /** `deltas`: what is heard of the string at a path such as `$.action.payload.content`, put together. */
  expect: z.union([
    z.strictObject({ value: AnyJson, deltas: z.record(z.string(), text).optional() }),
    failure,
  ]),
};

/** The object that is found in a reply with noise around it. */
const jsonExtract = {
  input: orAlone(z.strictObject({ text }), "text"),
  /** `extracted`: whether there was noise. */
  expect: z.union([z.strictObject({ value: AnyJson, extracted: z.boolean().optional() }), failure]),
};

/** The guard of every path that a model names. */
const path = {
  /**
   * Without a tree the words of the path alone are judged. With one, a folder is made of it, with a file `outside.txt`
   * beside it for links that lead out, and the path is opened in it.
   */
  input: orAlone(z.strictObject({ path: text, tree: z.record(z.string(), TreeEntry).optional() }), "path"),
  expect: z.union([
    z.strictObject({ ok: z.literal(true) }),
    z.strictObject({ code: z.enum(["PathTraversalBlocked", "IOError"]) }),
  ]),
};

/** The part of a text below a heading. */
const section = {
  input: z.strictObject({ text, hint: text }),
  expect: z.union([z.strictObject({ text }), z.strictObject({ code: z.literal("SectionNotFound") })]),
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
    .refine((expect) => Object.keys(expect).length > 0, { error: "asks for nothing" }),
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
