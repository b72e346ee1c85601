import {
  above0,
  allOrNull,
  anyText,
  characterFormat,
  flag,
  id,
  int,
  list,
  type Operation,
  oneOf,
  orNull,
  paragraphFormat,
  planHosts,
  ref,
  text,
} from "./field-types.ts";

const character = allOrNull(characterFormat);
const paragraph = allOrNull(paragraphFormat);
/** What a selection or a block is: the block where one is named, else what is selected. */
const target = { block_id: orNull(id), apply_to_selection: flag };
const aroundText = { new_paragraph_before: flag, new_paragraph_after: flag };
/** Members of which one must change something; an empty font or colour changes nothing. */
const anyFormat = [["font", ""], "size", "bold", "italic", ["color", ""]] as const;
const cellRange = { sheet_name: orNull(anyText(64)), cell: orNull(anyText(64)), range: orNull(anyText(128)) };

/** What several programs can do. */
export const sharedOperations: Readonly<Record<string, Operation>> = {
  delete_block: { hosts: planHosts, needs: { block_id: id } },
  insert_text: { hosts: planHosts, needs: { text: text(200_000) }, may: aroundText },
  // The items of a block are those of the program; see `plan-schema.ts`.
  upsert_block: {
    hosts: planHosts,
    needs: { block_id: id, actions: { type: "array", minItems: 1 } },
    may: { anchor: oneOf("cursor", "end"), freeze_cursor: flag },
  },
  insert_chart_from_selection: {
    hosts: ["wps", "et"],
    may: {
      title: orNull(anyText(200)),
      chart_type: orNull(int(1, 1_000_000)),
      sheet_name: orNull(anyText(64)),
      source_range: orNull(anyText(128)),
      width: orNull(above0),
      height: orNull(above0),
      has_legend: orNull(flag),
      legend_position: orNull(oneOf("right", "left", "top", "bottom")),
      add_trendline: orNull(flag),
      trendline_type: orNull(anyText(50)),
      show_data_labels: orNull(flag),
      data_labels_show_percent: orNull(flag),
    },
  },
  insert_image: {
    hosts: ["wps", "et"],
    needs: { path: text(1_000) },
    may: { width: orNull(above0), height: orNull(above0), ...cellRange },
  },
  insert_table: {
    hosts: ["wps", "et"],
    needs: { rows: int(1, 100), cols: int(1, 50) },
    may: {
      // How many of them `rows` and `cols` allow is checked by `plan-tables.ts`.
      data: orNull(list(list(anyText(20_000), 0, 50), 0, 100)),
      borders: orNull(flag),
      style: orNull(anyText(200)),
      header: orNull(flag),
      auto_fit: orNull(int(0, 10)),
    },
  },
  set_selection: {
    hosts: ["wps", "et"],
    may: {
      anchor: oneOf("cursor", "start_of_document", "end_of_document"),
      offset_lines: int(-10_000, 10_000),
      offset_chars: int(-1_000_000, 1_000_000),
      ...cellRange,
    },
  },
  insert_word_art: {
    hosts: ["wps", "wpp"],
    needs: { text: text(10_000) },
    may: {
      preset: orNull(int(1, 500)),
      font: orNull(anyText(200)),
      size: orNull(above0),
      bold: orNull(flag),
      italic: orNull(flag),
    },
  },
};

/** What only the text document can do. */
export const textOperations: Readonly<Record<string, Operation>> = {
  answer_mode_apply: {
    hosts: ["wps"],
    needs: { answers: list(ref("answer_item"), 1, 2_000) },
    may: {
      block_id: orNull(id),
      strict: flag,
      search_window_chars: int(120, 4_000),
      backup: orNull(flag),
    },
  },
  apply_paragraph_style: {
    hosts: ["wps"],
    may: { ...target, max_paragraphs: int(1, 5_000), ...character, ...paragraph },
    oneOf: [...anyFormat, ...Object.keys(paragraph)],
  },
  apply_text_style_to_matches: {
    hosts: ["wps"],
    needs: { find_text: text(10_000) },
    may: {
      max_matches: int(1, 500),
      block_id: orNull(id),
      case_sensitive: flag,
      whole_word: flag,
      ...character,
    },
    oneOf: anyFormat,
  },
  insert_after_text: {
    hosts: ["wps"],
    needs: { anchor_text: text(10_000), text: text(200_000) },
    may: aroundText,
  },
  insert_before_text: {
    hosts: ["wps"],
    needs: { anchor_text: text(10_000), text: text(200_000) },
    may: aroundText,
  },
  normalize_headings: {
    hosts: ["wps"],
    may: { ...target, max_paragraphs: int(1, 5_000), levels: list(ref("heading_level"), 0, 20) },
  },
  rollback_block: { hosts: ["wps"], needs: { block_id: id } },
  set_paragraph_format: { hosts: ["wps"], may: { ...target, ...paragraph }, oneOf: Object.keys(paragraph) },
  set_selection_by_block: {
    hosts: ["wps"],
    needs: { block_id: id },
    may: { position: oneOf("start", "end"), offset_chars: int(-1_000_000, 1_000_000), strict: flag },
  },
  set_selection_by_text: {
    hosts: ["wps"],
    needs: { anchor_text: text(10_000) },
    may: {
      occurrence: int(1, 10_000),
      position: oneOf("before", "after", "start", "end"),
      offset_chars: int(-1_000_000, 1_000_000),
      block_id: orNull(id),
      strict: flag,
    },
  },
  set_table_cell_text: {
    hosts: ["wps"],
    needs: { row: int(1, 5_000), col: int(1, 5_000) },
    may: {
      text: anyText(200_000),
      block_id: orNull(id),
      table_index: orNull(int(1, 5_000)),
      strict: flag,
    },
  },
  set_text_style: { hosts: ["wps"], may: { ...character, apply_to_selection: flag } },
  set_writer_table_style: {
    hosts: ["wps"],
    may: { ...target, style_name: orNull(anyText(200)), borders: orNull(flag), header: orNull(flag) },
    oneOf: ["style_name", "borders", "header"],
  },
};

/** Parts of those operations, closed like actions. */
export const textParts: Readonly<Record<string, Omit<Operation, "hosts">>> = {
  heading_level: {
    needs: { level: int(1, 9) },
    may: { ...character, ...paragraph },
    oneOf: [...anyFormat, ...Object.keys(paragraph)],
  },
  answer_item: { needs: { q: text(80) }, may: { answer: anyText(20_000) } },
};
