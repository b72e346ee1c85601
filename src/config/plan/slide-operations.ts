import { above0, anyText, flag, int, list, num, type Operation, oneOf, orNull, text } from "./field-types.ts";

const hosts = ["wpp"] as const;
const slide_index = orNull(int(1));
const corner = { left: num(0, 100), top: num(0, 100) };
const place = {
  placeholder_kind: orNull(oneOf("title", "body", "subtitle")),
  placeholder_type: orNull(int(0, 50)),
  placeholder_index: orNull(int(1, 10)),
  slide_index,
};
const freeSize = { width: orNull(num(0.1, 100)), height: orNull(num(0.1, 100)) };
const size = { width: num(0.1, 100), height: num(0.1, 100) };

/** What only slides can do. */
export const slideOperations: Readonly<Record<string, Operation>> = {
  add_animation: {
    hosts,
    needs: { effect: anyText() },
    may: {
      target_shape_name: orNull(anyText(200)),
      target_index: orNull(int(1)),
      trigger: anyText(),
      duration: num(0.1, 60),
      delay: num(0, 60),
      slide_index,
    },
  },
  add_chart: {
    hosts,
    may: {
      title: orNull(anyText(500)),
      chart_type: oneOf("bar", "line", "pie", "area", "scatter", "column"),
      data: orNull(list(list({ type: ["number", "string"] }))),
      ...corner,
      width: num(1, 100),
      height: num(1, 100),
      ...place,
    },
  },
  add_hyperlink: {
    hosts,
    needs: { address: text(2_000) },
    may: {
      text_to_display: orNull(anyText(500)),
      tooltip: orNull(anyText(500)),
      target_shape_name: orNull(anyText(200)),
      slide_index,
    },
  },
  add_image: { hosts, needs: { path: text(1_000) }, may: { ...corner, ...freeSize, ...place } },
  add_shape: {
    hosts,
    needs: { shape_type: anyText() },
    may: {
      ...corner,
      ...size,
      fill_color: orNull(anyText(16)),
      line_color: orNull(anyText(16)),
      text: orNull(anyText(5_000)),
      slide_index,
    },
  },
  add_slide: {
    hosts,
    may: {
      title: orNull(anyText(500)),
      layout: int(1, 200),
      content: orNull(anyText(10_000)),
      position: orNull(int(0)),
    },
  },
  add_table: {
    hosts,
    may: {
      rows: int(1, 100),
      cols: int(1, 50),
      data: orNull(list(list(anyText()))),
      ...corner,
      width: orNull(num(0.1, 100)),
      style: orNull(anyText(200)),
      slide_index,
    },
  },
  add_textbox: {
    hosts,
    may: {
      text: orNull(anyText(50_000)),
      ...corner,
      ...size,
      font_size: orNull(int(1, 500)),
      font_bold: orNull(flag),
      font_color: orNull(anyText(16)),
      alignment: orNull(oneOf("left", "center", "right")),
      ...place,
    },
  },
  delete_slide: { hosts, may: { slide_index } },
  duplicate_slide: { hosts, may: { source_index: orNull(int(1)), target_position: orNull(int(0)) } },
  fill_placeholder: {
    hosts,
    needs: { text: text(200_000) },
    may: { ...place, placeholder_index: int(1, 50), strict: flag, fallback_to_add_textbox: flag },
    oneOf: ["placeholder_kind", "placeholder_type"],
  },
  reorder_slides: { hosts, needs: { from_index: int(1, 1_000), to_index: int(1, 1_000) } },
  set_animation_timing: {
    hosts,
    needs: { animation_index: int(1) },
    may: {
      trigger: orNull(oneOf("on_click", "with_previous", "after_previous")),
      duration: orNull(num(0.1, 60)),
      delay: orNull(num(0, 60)),
      slide_index,
    },
  },
  set_presentation_props: {
    hosts,
    may: {
      title: orNull(anyText(500)),
      author: orNull(anyText(200)),
      subject: orNull(anyText(500)),
      comments: orNull(anyText(5_000)),
    },
  },
  set_shape_style: {
    hosts,
    may: {
      shape_name: orNull(anyText(200)),
      fill_color: orNull(anyText(32)),
      line_color: orNull(anyText(32)),
      line_width: orNull(above0),
      text_color: orNull(anyText(32)),
      bold: orNull(flag),
      apply_to_all: flag,
    },
    oneOf: ["fill_color", "line_color", "line_width", "text_color", "bold"],
  },
  set_slide_background: { hosts, needs: { color: text(32) }, may: { apply_to_all: flag } },
  set_slide_layout: { hosts, needs: { layout: int(1, 200) }, may: { apply_to_all: flag } },
  set_slide_text_style: {
    hosts,
    may: {
      font: orNull(anyText(200)),
      size: orNull(above0),
      bold: orNull(flag),
      color: orNull(anyText(32)),
      apply_to_all: flag,
    },
  },
  set_slide_theme: {
    hosts,
    may: {
      theme_name: orNull(text(200)),
      theme_index: orNull(int(1, 200)),
      template_path: orNull(text(1_024)),
      apply_to_all: flag,
    },
    oneOf: ["theme_name", "theme_index", "template_path"],
  },
  set_slide_transition: {
    hosts,
    may: {
      effect: anyText(),
      duration: num(0.1, 10),
      sound: orNull(anyText(200)),
      advance_on_click: flag,
      slide_index,
      apply_to_all: flag,
    },
  },
  set_table_style: {
    hosts,
    may: {
      shape_name: orNull(anyText(200)),
      style_name: orNull(anyText(200)),
      first_row: orNull(flag),
      last_row: orNull(flag),
      banded_rows: orNull(flag),
      banded_columns: orNull(flag),
      apply_to_all: flag,
    },
    oneOf: ["style_name", "first_row", "last_row", "banded_rows", "banded_columns"],
  },
};
