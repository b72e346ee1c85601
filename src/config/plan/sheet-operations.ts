import type { JsonObject } from "../../shared/json/json.ts";
import { anyText, flag, int, list, type Operation, oneOf, orNull, ref, text } from "./field-types.ts";

const hosts = ["et"] as const;
const comparison = oneOf(
  "between",
  "not_between",
  "equal",
  "not_equal",
  "greater_than",
  "less_than",
  "greater_or_equal",
  "less_or_equal",
);
const color: JsonObject = orNull(anyText(32));
const formula: JsonObject = orNull(anyText(5_000));

/** What only the spreadsheet can do. */
export const sheetOperations: Readonly<Record<string, Operation>> = {
  create_pivot_table: {
    hosts,
    needs: {
      source_range: text(128),
      destination: text(64),
      rows: list(anyText(), 1, 20),
      values: list(ref("pivot_value"), 1, 20),
    },
    may: {
      columns: list(anyText(), 0, 20),
      filters: list(anyText(), 0, 20),
      table_name: orNull(anyText(64)),
      replace_existing: flag,
    },
  },
  ensure_sheet: {
    hosts,
    needs: { sheet_name: text(64) },
    may: { activate: flag, clear_existing: flag, select_a1: flag },
  },
  filter_range: {
    hosts,
    needs: { range: text(64), field: int(1, 256), criteria1: text(5_000) },
    may: { operator: orNull(oneOf("and", "or")), criteria2: formula, visible_dropdown: flag },
  },
  set_cell_formula: { hosts, needs: { cell: text(32), formula: text(5_000) } },
  set_conditional_format: {
    hosts,
    needs: { range: text(64) },
    may: {
      rule_type: oneOf("color_scale", "cell_value"),
      operator: orNull(comparison),
      formula1: formula,
      formula2: formula,
      min_color: color,
      mid_color: color,
      max_color: color,
      fill_color: color,
      font_color: color,
      bold: orNull(flag),
      clear_existing: flag,
    },
  },
  set_data_validation: {
    hosts,
    needs: { range: text(64), formula1: text(5_000) },
    may: {
      validation_type: oneOf("list", "whole_number", "decimal", "date", "time", "text_length", "custom"),
      operator: orNull(comparison),
      formula2: formula,
      allow_blank: flag,
      in_cell_dropdown: flag,
      show_input: flag,
      show_error: flag,
      input_title: orNull(anyText(255)),
      input_message: orNull(anyText(1_024)),
      error_title: orNull(anyText(255)),
      error_message: orNull(anyText(1_024)),
    },
  },
  set_number_format: { hosts, needs: { range: text(64), number_format: text(200) } },
  sort_range: {
    hosts,
    needs: { range: text(64), key: text(64) },
    may: { order: oneOf("asc", "desc"), has_header: flag },
  },
  transform_range: {
    hosts,
    needs: { source_range: text(128), destination: text(128) },
    may: { transform: oneOf("transpose"), clear_existing: flag },
  },
};

/** Parts of those operations, closed like actions. */
export const sheetParts: Readonly<Record<string, Omit<Operation, "hosts">>> = {
  pivot_value: {
    needs: { field: text(128) },
    may: { summary: oneOf("sum", "count", "average", "max", "min"), title: orNull(anyText(200)) },
  },
};
