/**
 * Members of every operation of `ah32.plan.v1`, besides `id`, `title` and `op`, and of the parts they hold. Facts about the
 * service, written down apart from the schema, so that a slip in one of them is seen.
 *
 * Of `insert_table` these are the limits of the largest table. `@` begins the operations of these hosts, and last the parts. `*`: required. `?`: may be `null`. Numbers are inclusive limits.
 */
const facts = `
@ wps et wpp
delete_block: block_id* Id
insert_text: text* str 1..200000; new_paragraph_before bool; new_paragraph_after bool
upsert_block: block_id* Id; anchor enum{cursor,end}; freeze_cursor bool; actions* list[Action] 1..
@ wps et
insert_chart_from_selection: title str ..200?; chart_type int 1..1000000?; sheet_name str ..64?;
  source_range str ..128?; width num >0?; height num >0?; has_legend bool?; legend_position
  enum{right,left,top,bottom}?; add_trendline bool?; trendline_type str ..50?; show_data_labels bool?;
  data_labels_show_percent bool?
insert_image: path* str 1..1000; width num >0?; height num >0?; sheet_name str ..64?; cell str ..64?; range
  str ..128?
insert_table: rows* int 1..100; cols* int 1..50; data list[list[str ..20000] ..50] ..100?; borders bool?;
  style str ..200?; header bool?; auto_fit int 0..10?
set_selection: anchor enum{cursor,start_of_document,end_of_document}; offset_lines int -10000..10000;
  offset_chars int -1000000..1000000; sheet_name str ..64?; cell str ..64?; range str ..128?
@ wps wpp
insert_word_art: text* str 1..10000; preset int 1..500?; font str ..200?; size num >0?; bold bool?; italic
  bool?
@ wps
answer_mode_apply: block_id Id?; answers* list[AnswerItem] 1..2000; strict bool; search_window_chars int
  120..4000; backup bool?
apply_paragraph_style: block_id Id?; apply_to_selection bool; max_paragraphs int 1..5000; font str ..200?;
  size num >0?; bold bool?; italic bool?; color str ..32?; alignment enum{left,center,right,justify}?;
  line_spacing enum{single,1.5,double}?; space_before num 0..500?; space_after num 0..500?
apply_text_style_to_matches: find_text* str 1..10000; max_matches int 1..500; block_id Id?; case_sensitive
  bool; whole_word bool; font str ..200?; size num >0?; bold bool?; italic bool?; color str ..32?
insert_after_text: anchor_text* str 1..10000; text* str 1..200000; new_paragraph_before bool;
  new_paragraph_after bool
insert_before_text: anchor_text* str 1..10000; text* str 1..200000; new_paragraph_before bool;
  new_paragraph_after bool
normalize_headings: block_id Id?; apply_to_selection bool; max_paragraphs int 1..5000; levels
  list[HeadingLevel] ..20
rollback_block: block_id* Id
set_paragraph_format: block_id Id?; apply_to_selection bool; alignment enum{left,center,right,justify}?;
  line_spacing enum{single,1.5,double}?; space_before num 0..500?; space_after num 0..500?
set_selection_by_block: block_id* Id; position enum{start,end}; offset_chars int -1000000..1000000; strict
  bool
set_selection_by_text: anchor_text* str 1..10000; occurrence int 1..10000; position
  enum{before,after,start,end}; offset_chars int -1000000..1000000; block_id Id?; strict bool
set_table_cell_text: row* int 1..5000; col* int 1..5000; text str ..200000; block_id Id?; table_index int
  1..5000?; strict bool
set_text_style: font str ..200?; size num >0?; bold bool?; italic bool?; color str ..32?; apply_to_selection
  bool
set_writer_table_style: block_id Id?; apply_to_selection bool; style_name str ..200?; borders bool?; header
  bool?
@ et
create_pivot_table: source_range* str 1..128; destination* str 1..64; rows* list[str] 1..20; columns
  list[str] ..20; values* list[PivotValue] 1..20; filters list[str] ..20; table_name str ..64?;
  replace_existing bool
ensure_sheet: sheet_name* str 1..64; activate bool; clear_existing bool; select_a1 bool
filter_range: range* str 1..64; field* int 1..256; criteria1* str 1..5000; operator enum{and,or}?; criteria2
  str ..5000?; visible_dropdown bool
set_cell_formula: cell* str 1..32; formula* str 1..5000
set_conditional_format: range* str 1..64; rule_type enum{color_scale,cell_value}; operator
  enum{between,not_between,equal,not_equal,greater_than,less_than,greater_or_equal,less_or_equal}?; formula1
  str ..5000?; formula2 str ..5000?; min_color str ..32?; mid_color str ..32?; max_color str ..32?;
  fill_color str ..32?; font_color str ..32?; bold bool?; clear_existing bool
set_data_validation: range* str 1..64; validation_type
  enum{list,whole_number,decimal,date,time,text_length,custom}; operator
  enum{between,not_between,equal,not_equal,greater_than,less_than,greater_or_equal,less_or_equal}?;
  formula1* str 1..5000; formula2 str ..5000?; allow_blank bool; in_cell_dropdown bool; show_input bool;
  show_error bool; input_title str ..255?; input_message str ..1024?; error_title str ..255?; error_message
  str ..1024?
set_number_format: range* str 1..64; number_format* str 1..200
sort_range: range* str 1..64; key* str 1..64; order enum{asc,desc}; has_header bool
transform_range: source_range* str 1..128; destination* str 1..128; transform enum{transpose};
  clear_existing bool
@ wpp
add_animation: target_shape_name str ..200?; target_index int 1..?; effect* str; trigger str; duration num
  0.1..60; delay num 0..60; slide_index int 1..?
add_chart: title str ..500?; chart_type enum{bar,line,pie,area,scatter,column}; data list[list[num/str]]?;
  left num 0..100; top num 0..100; width num 1..100; height num 1..100; placeholder_kind
  enum{title,body,subtitle}?; placeholder_type int 0..50?; placeholder_index int 1..10?; slide_index int
  1..?
add_hyperlink: address* str 1..2000; text_to_display str ..500?; tooltip str ..500?; target_shape_name str
  ..200?; slide_index int 1..?
add_image: path* str 1..1000; left num 0..100; top num 0..100; width num 0.1..100?; height num 0.1..100?;
  placeholder_kind enum{title,body,subtitle}?; placeholder_type int 0..50?; placeholder_index int 1..10?;
  slide_index int 1..?
add_shape: shape_type* str; left num 0..100; top num 0..100; width num 0.1..100; height num 0.1..100;
  fill_color str ..16?; line_color str ..16?; text str ..5000?; slide_index int 1..?
add_slide: title str ..500?; layout int 1..200; content str ..10000?; position int 0..?
add_table: rows int 1..100; cols int 1..50; data list[list[str]]?; left num 0..100; top num 0..100; width
  num 0.1..100?; style str ..200?; slide_index int 1..?
add_textbox: text str ..50000?; left num 0..100; top num 0..100; width num 0.1..100; height num 0.1..100;
  font_size int 1..500?; font_bold bool?; font_color str ..16?; alignment enum{left,center,right}?;
  placeholder_kind enum{title,body,subtitle}?; placeholder_type int 0..50?; placeholder_index int 1..10?;
  slide_index int 1..?
delete_slide: slide_index int 1..?
duplicate_slide: source_index int 1..?; target_position int 0..?
fill_placeholder: text* str 1..200000; placeholder_kind enum{title,body,subtitle}?; placeholder_type int
  0..50?; placeholder_index int 1..50; slide_index int 1..?; strict bool; fallback_to_add_textbox bool
reorder_slides: from_index* int 1..1000; to_index* int 1..1000
set_animation_timing: animation_index* int 1..; trigger enum{on_click,with_previous,after_previous}?;
  duration num 0.1..60?; delay num 0..60?; slide_index int 1..?
set_presentation_props: title str ..500?; author str ..200?; subject str ..500?; comments str ..5000?
set_shape_style: shape_name str ..200?; fill_color str ..32?; line_color str ..32?; line_width num >0?;
  text_color str ..32?; bold bool?; apply_to_all bool
set_slide_background: color* str 1..32; apply_to_all bool
set_slide_layout: layout* int 1..200; apply_to_all bool
set_slide_text_style: font str ..200?; size num >0?; bold bool?; color str ..32?; apply_to_all bool
set_slide_theme: theme_name str 1..200?; theme_index int 1..200?; template_path str 1..1024?; apply_to_all
  bool
set_slide_transition: effect str; duration num 0.1..10; sound str ..200?; advance_on_click bool; slide_index
  int 1..?; apply_to_all bool
set_table_style: shape_name str ..200?; style_name str ..200?; first_row bool?; last_row bool?; banded_rows
  bool?; banded_columns bool?; apply_to_all bool
@
HeadingLevel: level* int 1..9; font str ..200?; size num >0?; bold bool?; italic bool?; color str ..32?;
  alignment enum{left,center,right,justify}?; line_spacing enum{single,1.5,double}?; space_before num
  0..500?; space_after num 0..500?
AnswerItem: q* str 1..80; answer str ..20000
PivotValue: field* str 1..128; summary enum{sum,count,average,max,min}; title str ..200?
`;

/** A member of an operation, or of a part. */
export interface PlanMember {
  name: string;
  isRequired: boolean;
  isNullable: boolean;
  /** As in the table: `int 1..100`. */
  type: string;
}

export interface PlanObject {
  name: string;
  /** Empty: a part of an operation. */
  hosts: readonly string[];
  members: readonly PlanMember[];
}

/** Operations and parts of them, in the order of the table. */
export function planObjects(): PlanObject[] {
  const objects: PlanObject[] = [];
  let hosts: string[] = [];
  for (const line of facts.trim().replaceAll("\n  ", " ").split("\n")) {
    if (line.startsWith("@")) {
      hosts = line.slice(1).split(" ").filter(Boolean);
      continue;
    }
    const [name = "", members = ""] = line.split(": ");
    objects.push({ name, hosts, members: members.split("; ").map(readMember) });
  }
  return objects;
}

function readMember(text: string): PlanMember {
  const [, name, star, type, mark] = /^(\w+)(\*?) (.+?)(\??)$/.exec(text) ?? [];
  if (name === undefined || type === undefined) throw new Error(`not a member: ${text}`);
  return { name, isRequired: star === "*", isNullable: mark === "?", type };
}
