import { describe, expect, test } from "vitest";
import { compileContract } from "../../scorers/output-contract.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { findOutputSchema } from "../schemas/find-output-schema.ts";
import { planOperations } from "./plan-schema.ts";

const found = findOutputSchema("ah32.plan.v1", { given: {}, skillDir: null, cwd: "/nowhere" });
const contract = compileContract({ markers: [], maxChars: null, schemas: [found] });

/** What is wrong with a plan, or with a text that should be one. */
function violationsIn(plan: unknown): string[] {
  if (!contract.ok) throw new Error(contract.problem);
  const output = typeof plan === "string" ? plan : JSON.stringify(plan);
  return contract.check(output).map(({ pointer, reason }) => `${pointer} ${reason}`);
}

const plan = (host_app: string, ...actions: unknown[]) => ({
  schema_version: "ah32.plan.v1",
  host_app,
  actions,
});
const action = (op: string, members: JsonObject = {}): JsonObject => ({
  id: "a1",
  ...(ownTitle.has(op) ? {} : { title: "Do it" }),
  op,
  ...members,
});
/** Operations whose `title` is a text of their own. */
const ownTitle = new Set(["insert_chart_from_selection", "add_chart", "add_slide", "set_presentation_props"]);
const block = (...actions: JsonObject[]) => action("upsert_block", { block_id: "b", actions });
const insert = action("insert_text", { text: "hello" });
const pivot = { source_range: "A1:C9", destination: "E1", rows: ["Region"], values: [{ field: "Amount" }] };

/** Each operation with the hosts that know it, members that fit, and members that do not, with where they are refused. */
const operations: [op: string, hosts: string, good: JsonObject, bad: JsonObject, pointer: string][] = [
  ["delete_block", "wps et wpp", { block_id: "week-12" }, { block_id: "week 12" }, "/block_id"],
  ["insert_text", "wps et wpp", { text: "x", new_paragraph_after: true }, { text: "" }, "/text"],
  [
    "upsert_block",
    "wps et wpp",
    { block_id: "b", actions: [insert] },
    { block_id: "b", actions: [] },
    "/actions",
  ],
  ["insert_chart_from_selection", "wps et", { title: null, width: 0.5 }, { width: 0 }, "/width"],
  ["insert_image", "wps et", { path: "a.png", cell: null }, { path: "" }, "/path"],
  ["insert_table", "wps et", { rows: 1, cols: 2, data: [["a"]] }, { rows: 0, cols: 2 }, "/rows"],
  ["set_selection", "wps et", { anchor: "cursor", cell: "B2" }, { anchor: "top" }, "/anchor"],
  ["insert_word_art", "wps wpp", { text: "Hi", preset: 500 }, { text: "Hi", preset: 501 }, "/preset"],
  ["answer_mode_apply", "wps", { answers: [{ q: "1" }] }, { answers: [{ answer: "B" }] }, "/answers/0/q"],
  ["apply_paragraph_style", "wps", { space_before: 0, font: "" }, { font: "", color: "", bold: null }, ""],
  ["apply_text_style_to_matches", "wps", { find_text: "x", bold: false }, { find_text: "x", font: "" }, ""],
  ["insert_after_text", "wps", { anchor_text: "x", text: "y" }, { text: "y" }, "/anchor_text"],
  ["insert_before_text", "wps", { anchor_text: "x", text: "y" }, { anchor_text: "x" }, "/text"],
  ["normalize_headings", "wps", { levels: [] }, { levels: [{ level: 1 }] }, "/levels/0"],
  ["rollback_block", "wps", { block_id: "b" }, {}, "/block_id"],
  ["set_paragraph_format", "wps", { line_spacing: "1.5" }, { line_spacing: null }, ""],
  [
    "set_selection_by_block",
    "wps",
    { block_id: "b", position: "end" },
    { block_id: "b", position: "after" },
    "/position",
  ],
  ["set_selection_by_text", "wps", { anchor_text: "x" }, { anchor_text: "x", occurrence: 0 }, "/occurrence"],
  ["set_table_cell_text", "wps", { row: 1, col: 5000 }, { row: 1, col: 5001 }, "/col"],
  ["set_text_style", "wps", {}, { size: 0 }, "/size"],
  ["set_writer_table_style", "wps", { style_name: "" }, { style_name: null, borders: null }, ""],
  [
    "create_pivot_table",
    "et",
    pivot,
    { ...pivot, values: [{ field: "A", summary: "median" }] },
    "/values/0/summary",
  ],
  ["ensure_sheet", "et", { sheet_name: "Totals" }, { sheet_name: "x".repeat(65) }, "/sheet_name"],
  [
    "filter_range",
    "et",
    { range: "A:B", field: 1, criteria1: ">3" },
    { range: "A:B", field: 1 },
    "/criteria1",
  ],
  ["set_cell_formula", "et", { cell: "B2", formula: "=1" }, { cell: "B2", formula: 1 }, "/formula"],
  [
    "set_conditional_format",
    "et",
    { range: "A1", operator: null },
    { range: "A1", operator: "above" },
    "/operator",
  ],
  ["set_data_validation", "et", { range: "A1", formula1: "a,b" }, { range: "A1" }, "/formula1"],
  [
    "set_number_format",
    "et",
    { range: "A1", number_format: "0.0" },
    { range: "A1", number_format: null },
    "/number_format",
  ],
  [
    "sort_range",
    "et",
    { range: "A1:B9", key: "A", order: "desc" },
    { range: "A1:B9", key: "A", order: "down" },
    "/order",
  ],
  [
    "transform_range",
    "et",
    { source_range: "A1:B2", destination: "D1" },
    { destination: "D1" },
    "/source_range",
  ],
  ["add_animation", "wpp", { effect: "", trigger: "any" }, { effect: "fly", duration: 61 }, "/duration"],
  ["add_chart", "wpp", { data: [["North", 12.5]] }, { data: [["North", null]] }, "/data/0/1"],
  ["add_hyperlink", "wpp", { address: "https://a.example" }, { address: "" }, "/address"],
  ["add_image", "wpp", { path: "a.png", width: null }, { path: "a.png", width: 0 }, "/width"],
  ["add_shape", "wpp", { shape_type: "star" }, { shape_type: "star", width: null }, "/width"],
  ["add_slide", "wpp", { layout: 2, position: 0, title: "" }, { layout: "two_columns" }, "/layout"],
  ["add_table", "wpp", { rows: 1, data: [["a"], ["b"]] }, { rows: 101 }, "/rows"],
  ["add_textbox", "wpp", { font_size: 12 }, { font_size: 12.5 }, "/font_size"],
  ["delete_slide", "wpp", {}, { slide_index: 0 }, "/slide_index"],
  ["duplicate_slide", "wpp", { target_position: 0 }, { target_position: -1 }, "/target_position"],
  ["fill_placeholder", "wpp", { text: "x", placeholder_type: 0 }, { text: "x" }, ""],
  ["reorder_slides", "wpp", { from_index: 1, to_index: 2 }, { from_index: 1 }, "/to_index"],
  ["set_animation_timing", "wpp", { animation_index: 1 }, { animation_index: 1, trigger: "any" }, "/trigger"],
  ["set_presentation_props", "wpp", {}, { author: "x".repeat(201) }, "/author"],
  ["set_shape_style", "wpp", { fill_color: "" }, { fill_color: null }, ""],
  ["set_slide_background", "wpp", { color: "red" }, { color: null }, "/color"],
  ["set_slide_layout", "wpp", { layout: 200 }, { layout: 201 }, "/layout"],
  ["set_slide_text_style", "wpp", {}, { bold: 1 }, "/bold"],
  ["set_slide_theme", "wpp", { theme_index: 1 }, { theme_name: null }, ""],
  ["set_slide_transition", "wpp", { effect: "fade" }, { duration: 10.5 }, "/duration"],
  ["set_table_style", "wpp", { first_row: false }, { shape_name: "Table 1" }, ""],
];

test("each of the 51 operations is in this table", () => {
  expect(operations.map(([op]) => op).sort()).toEqual(Object.keys(planOperations).sort());
  expect(operations).toHaveLength(51);
});

describe.each(operations)("%s", (op, hosts, good, bad, pointer) => {
  const [first = ""] = hosts.split(" ");

  test.each(["wps", "et", "wpp"])("in %s, and in blocks there", (host) => {
    const isKnown = hosts.split(" ").includes(host);
    const one = action(op, good);

    expect(violationsIn(plan(host, one)).length === 0).toBe(isKnown);
    const nested = violationsIn(plan(host, block(block(one))));
    expect(nested.length === 0).toBe(isKnown);
    if (!isKnown)
      expect(nested.join("\n")).toContain("/actions/0/actions/0/actions/0/op must be equal to one");
  });

  test("members that are wrong, missing or unknown are refused where they are", () => {
    const found = violationsIn(plan(first, action(op, bad)));
    expect(found.map((line) => line.split(" ")[0])).toEqual([`/actions/0${pointer}`]);
    expect(violationsIn(plan(first, { ...action(op, good), extra: 1 }))).toEqual([
      "/actions/0/extra is not allowed",
    ]);
    const { id: _id, ...anonymous } = action(op, good);
    expect(violationsIn(plan(first, anonymous))).toEqual(["/actions/0/id is required"]);
    const { title: _title, ...untitled } = action(op, good);
    expect(violationsIn(plan(first, untitled))).toEqual(
      ownTitle.has(op) ? [] : ["/actions/0/title is required"],
    );
  });
});

// Members at their limits are tried in `plan-limits.test.ts`.
test.each([
  { ...plan("wps", insert), meta: { any: [1] } },
  `\n ${JSON.stringify(plan("et", action("set_cell_formula", { cell: "B2", formula: "=1" })), null, 2)}\n`,
  // The service writes out every member, with defaults, and `null` for what is unset.
  plan(
    "wps",
    action("insert_table", {
      rows: 3,
      cols: 2,
      data: [["Item", "Owner"], ["Order cables"]],
      borders: null,
      style: null,
      header: true,
      auto_fit: null,
    }),
  ),
  plan(
    "wps",
    action("upsert_block", {
      block_id: "minutes",
      anchor: "end",
      actions: [insert, action("insert_table", { rows: 2, cols: 2, style: null, data: [["Who", "What"]] })],
    }),
  ),
  plan(
    "et",
    action("ensure_sheet", { sheet_name: "Totals" }),
    action("create_pivot_table", {
      ...pivot,
      values: [{ field: "Amount", summary: "average", title: null }],
      table_name: null,
    }),
  ),
  plan(
    "wpp",
    action("add_slide", { layout: 2, position: 0 }),
    action("fill_placeholder", { text: "Budget", placeholder_type: 0, slide_index: 1 }),
    action("add_chart", { chart_type: "pie", data: [["North", 12]] }),
  ),
])("a plan: %.100j", (good) => {
  expect(violationsIn(good)).toEqual([]);
});

test.each<[unknown, string]>([
  [{}, "/schema_version is required"],
  [[], " must be object"],
  ["", " is not one JSON value: Unexpected end"],
  [`Here it is: ${JSON.stringify(plan("wps", insert))}`, " is not one JSON value"],
  ['{"schema_version":"ah32.plan.v1","schema_version":"x"}', 'duplicate key "schema_version"'],
  [{ ...plan("wps", insert), schema_version: "ah32.plan.v2" }, "/schema_version must be equal to constant"],
  [plan("writer", insert), "/host_app must be equal to one of the allowed values"],
  [plan("wps"), "/actions must NOT have fewer than 1 items"],
  [{ ...plan("wps", insert), note: 1 }, "/note is not allowed"],
  [{ ...plan("wps", insert), meta: null }, "/meta must be object"],
  [plan("wps", { id: "a", title: "t", text: "x" }), "/actions/0/op is required"],
  [plan("wps", "insert_text"), "/actions/0 must be object"],
  [plan("wps", action("replace_text", { find: "x", replace: "y" })), "/actions/0/op must be equal to one of"],
  [plan("et", action("add_sheet", { name: "Totals" })), "/actions/0/op must be equal to one of"],
  [plan("et", action("set_cell_value", { cell: "A1", value: 1 })), "/actions/0/op must be equal to one of"],
  [plan("wps", action("set_style", { target: "A1" })), "/actions/0/op must be equal to one of"],
  [plan("wpp", action("set_notes", { slide: 2, text: "x" })), "/actions/0/op must be equal to one of"],
  [
    plan("wps", action("insert_text", { text: "😀".repeat(200_001) })),
    "/actions/0/text must NOT have more than",
  ],
  [
    plan("wps", action("apply_text_style_to_matches", { find_text: "x", font: "" })),
    "/actions/0 needs at least one of font, size, bold, italic, color",
  ],
])("no plan: %.100j", (bad, expected) => {
  expect(violationsIn(bad).join("\n")).toContain(expected);
});

describe("the size of tables", () => {
  const table = (members: JsonObject) => action("insert_table", { rows: 1, cols: 1, ...members });

  test("data that is larger than the table is refused, in blocks as well", () => {
    expect(violationsIn(plan("wps", table({ data: [["x"], ["y"]] })))).toEqual([
      "/actions/0/data has 2 rows, and the table has 1",
    ]);
    expect(violationsIn(plan("et", insert, block(table({ data: [["x", "y"]] }))))).toEqual([
      "/actions/1/actions/0/data/0 has 2 cells, and the table has 1 columns",
    ]);
  });

  test.each([[[]], [[[]]], [[["x"]]], [null]])("%j fits a table of one cell", (data) => {
    expect(violationsIn(plan("wps", table({ data })))).toEqual([]);
  });

  test("of slides is not held against their data", () => {
    expect(
      violationsIn(plan("wpp", action("add_table", { rows: 1, cols: 1, data: [["a", "b"], []] }))),
    ).toEqual([]);
  });

  test("is not checked by a file of that name that a user brings", () => {
    const own = compileContract({
      markers: [],
      maxChars: null,
      schemas: [{ name: found.name, schema: found.schema }],
    });
    if (!own.ok) throw new Error(own.problem);
    expect(own.check(JSON.stringify(plan("wps", table({ data: [["x"], ["y"]] }))))).toEqual([]);
  });
});
