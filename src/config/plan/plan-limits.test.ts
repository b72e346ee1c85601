import { describe, expect, test } from "vitest";
import { type PlanMember, type PlanObject, planObjects } from "../../../test/plan-facts.ts";
import { compileContract } from "../../scorers/output-contract.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { findOutputSchema } from "../schemas/find-output-schema.ts";

const found = findOutputSchema("ah32.plan.v1", { given: {}, skillDir: null, cwd: "/nowhere" });
const contract = compileContract({ markers: [], maxChars: null, schemas: [found] });

/** Where a plan of this one action is refused; empty where it is accepted. */
function refusals(host: string, action: JsonObject): string[] {
  if (!contract.ok) throw new Error(contract.problem);
  const plan = { schema_version: "ah32.plan.v1", host_app: host, actions: [action] };
  return contract.check(JSON.stringify(plan)).map(({ pointer }) => pointer.replace(/^\/actions\/0/, ""));
}

/** A value that is refused, and where: below the member that holds it. */
interface Wrong {
  value: Json;
  at: string;
}

/** Values of a type at and inside its limits, and those just beyond them or of another type. */
interface Values {
  right: Json[];
  wrong: Wrong[];
}

const here = (...values: Json[]): Wrong[] => values.map((value) => ({ value, at: "" }));

function valuesOf(type: string): Values {
  const [, item, rest = ""] = /^list\[(.*)\](.*)$/.exec(type) ?? [];
  if (item !== undefined) return listValues(item, limitsIn(rest));
  const [kind = ""] = type.split(" ");
  const { least, most } = limitsIn(type);
  switch (kind) {
    case "Id":
      return {
        right: ["a", "Aa0_-:.", "x".repeat(64)],
        wrong: here("", "x".repeat(65), "a b", " a", "é", "a/b", 1),
      };
    case "bool":
      return { right: [true, false], wrong: here(0, 1, "true", []) };
    case "str":
      return {
        // Lengths count code points, of which this one has two units.
        right: [...(least === 0 ? [""] : []), "x", ...(most === null ? [] : ["😀".repeat(most)])],
        wrong: here(1, true, ...(least === 0 ? [] : [""]), ...(most === null ? [] : ["😀".repeat(most + 1)])),
      };
    case "int":
      return {
        right: [least, ...(most === null ? [least + 1_000_000] : [most])],
        wrong: here(least - 1, least + 0.5, String(least), true, ...(most === null ? [] : [most + 1])),
      };
    case "num":
      if (type.endsWith(">0")) return { right: [0.001, 1, 1e6], wrong: here(0, -1, "1", true) };
      return {
        right: [least, (least + Number(most)) / 2, Number(most)],
        wrong: here(least - 0.01, Number(most) + 0.01, String(least), true),
      };
    case "num/str":
      return { right: ["", "North", 0, 7.5], wrong: here(true, null, []) };
    case "Action":
      return { right: [insertText], wrong: here("insert_text") };
    default:
      return kind.startsWith("enum{") ? enumValues(kind) : partValues(kind);
  }
}

const insertText = { id: "n", title: "t", op: "insert_text", text: "x" };

function enumValues(type: string): Values {
  const right = type.slice("enum{".length, -1).split(",");
  return { right, wrong: here(right[0]?.toUpperCase() ?? "", `${right[0]} `, "", 1) };
}

function listValues(item: string, { least, most }: Limits): Values {
  const { right, wrong } = valuesOf(item);
  const [one = null] = right;
  const many = (length: number): Json[] => Array.from({ length }, () => one);
  return {
    right: [many(least), ...right.map((value) => [value]), many(most ?? 200)],
    wrong: [
      ...here("x", {}),
      ...(least === 0 ? [] : here([])),
      ...(most === null ? [] : here(many(most + 1))),
      ...wrong.map(({ value, at }) => ({ value: [value], at: `/0${at}` })),
      { value: [null], at: "/0" },
    ],
  };
}

function partValues(name: string): Values {
  const part = partNamed(name);
  const wrong = variants(part).filter(({ at }) => at !== null);
  return {
    right: variants(part)
      .filter(({ at }) => at === null)
      .map(({ value }) => value),
    wrong: [...here("x", []), ...wrong.map(({ value, at }) => ({ value, at: at ?? "" }))],
  };
}

interface Limits {
  least: number;
  most: number | null;
}

function limitsIn(text: string): Limits {
  const [, least = "", most = ""] = /(-?\d[\d.]*?)?\.\.(\d[\d.]*)?$/.exec(text) ?? [];
  return { least: Number(least), most: most === "" ? null : Number(most) };
}

/** Operations and parts that change nothing unless one of these is set; `name!`: an empty text does not set it. */
const oneOf: Record<string, readonly string[]> = {
  set_paragraph_format: ["alignment", "line_spacing", "space_before", "space_after"],
  apply_text_style_to_matches: ["font!", "size", "bold", "italic", "color!"],
  set_writer_table_style: ["style_name", "borders", "header"],
  set_shape_style: ["fill_color", "line_color", "line_width", "text_color", "bold"],
  set_table_style: ["style_name", "first_row", "last_row", "banded_rows", "banded_columns"],
  set_slide_theme: ["theme_name", "theme_index", "template_path"],
  fill_placeholder: ["placeholder_kind", "placeholder_type"],
};
const anyFormat = [...(oneOf.apply_text_style_to_matches ?? []), ...(oneOf.set_paragraph_format ?? [])];
Object.assign(oneOf, { apply_paragraph_style: anyFormat, HeadingLevel: anyFormat });

const objects = planObjects();
const operations = objects.filter(({ hosts }) => hosts.length > 0);
/** Operations whose `title` is a text of their own. */
const ownTitle = new Set(["insert_chart_from_selection", "add_chart", "add_slide", "set_presentation_props"]);

function partNamed(name: string): PlanObject {
  const part = objects.find((one) => one.name === name && one.hosts.length === 0);
  if (part === undefined) throw new Error(`no part ${name}`);
  return part;
}

/** A value that is allowed: the largest number, so that all other members fit too, else the first that is not empty. */
function valueFor({ type }: PlanMember): Json {
  const { right } = valuesOf(type);
  const value = type.startsWith("int") ? right.at(-1) : right.find((one) => one !== "");
  if (value === undefined) throw new Error(`no value for ${type}`);
  return value;
}

/** What an object needs to be right: required members, and two of those of which one must be set. */
function smallest(object: PlanObject): JsonObject {
  const rule = (oneOf[object.name] ?? []).slice(0, 2).map((name) => name.replace("!", ""));
  const names = object.members.filter(({ name, isRequired }) => isRequired || rule.includes(name));
  const common = object.hosts.length === 0 ? {} : { id: "a1", op: object.name };
  return {
    ...common,
    ...(object.hosts.length === 0 || ownTitle.has(object.name) ? {} : { title: "t" }),
    ...Object.fromEntries(names.map((member) => [member.name, valueFor(member)])),
  };
}

interface Variant {
  value: JsonObject;
  /** Where it is refused; null where it is right. */
  at: string | null;
}

const commonMembers: PlanMember[] = [
  { name: "id", type: "Id", isRequired: true, isNullable: false },
  { name: "title", type: "str 1..200", isRequired: true, isNullable: false },
];

/** An object with each of its members at its limits, beyond them, of another type, `null` and missing; and with one too many. */
function variants(object: PlanObject): Variant[] {
  const base = smallest(object);
  const own = new Set(object.members.map(({ name }) => name));
  const common = object.hosts.length === 0 ? [] : commonMembers.filter(({ name }) => !own.has(name));
  return [
    { value: base, at: null },
    { value: { ...base, extra: null }, at: "/extra" },
    ...[...common, ...object.members].flatMap((member) => memberVariants(base, member)),
    ...ruleVariants(object),
  ];
}

function memberVariants(base: JsonObject, { name, type, isRequired, isNullable }: PlanMember): Variant[] {
  const { right, wrong } = valuesOf(type);
  const { [name]: _, ...without } = base;
  return [
    ...right.map((value) => ({ value: { ...base, [name]: value }, at: null })),
    ...wrong.map(({ value, at }) => ({ value: { ...base, [name]: value }, at: `/${name}${at}` })),
    { value: { ...base, [name]: null }, at: isNullable ? null : `/${name}` },
    { value: without, at: isRequired ? `/${name}` : null },
  ];
}

function ruleVariants(object: PlanObject): Variant[] {
  const rule = oneOf[object.name] ?? [];
  if (rule.length === 0) return [];
  const names = rule.map((name) => name.replace("!", ""));
  const bare = Object.fromEntries(Object.entries(smallest(object)).filter(([name]) => !names.includes(name)));
  const typeOf = (name: string) => object.members.find((one) => one.name === name)?.type ?? "";
  return [
    { value: bare, at: "" },
    { value: { ...bare, ...Object.fromEntries(names.map((name) => [name, null])) }, at: "" },
    ...names.flatMap((name) =>
      valuesOf(typeOf(name)).right.map((value) => ({
        value: { ...bare, [name]: value },
        at: value === "" && rule.includes(`${name}!`) ? "" : null,
      })),
    ),
  ];
}

test("the facts hold 51 operations, 21 of text documents, 16 of spreadsheets and 25 of slides", () => {
  const known = (host: string) => operations.filter(({ hosts }) => hosts.includes(host)).length;
  expect([operations.length, known("wps"), known("et"), known("wpp")]).toEqual([51, 21, 16, 25]);
});

describe.each(operations.map((object) => [object.name, object] as const))("%s", (_, object) => {
  test("is accepted at its limits, and refused beyond them, where it is wrong", () => {
    const [host = ""] = object.hosts;
    const slips = variants(object).filter(({ value, at }) => {
      const pointers = refusals(host, value);
      return at === null ? pointers.length > 0 : !pointers.includes(at);
    });
    expect(slips.map(({ value, at }) => `${at}: ${JSON.stringify(value).slice(0, 300)}`)).toEqual([]);
  });

  test("is refused in other hosts, at any depth", () => {
    const block = (action: Json) => ({
      id: "b",
      title: "t",
      op: "upsert_block",
      block_id: "b",
      actions: [action],
    });
    const one = smallest(object);
    for (const host of ["wps", "et", "wpp"]) {
      const isKnown = object.hosts.includes(host);
      expect(refusals(host, one)).toEqual(isKnown ? [] : ["/op"]);
      expect(refusals(host, block(block(one)))).toEqual(isKnown ? [] : ["/actions/0/actions/0/op"]);
    }
  });
});
