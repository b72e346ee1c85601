/** A JSON list with one item per line, each item in as many pieces as it likes. */
export function* jsonList<Item>(
  items: Iterable<Item>,
  indent: string,
  pieces: (item: Item) => Iterable<string>,
): Generator<string> {
  let isEmpty = true;
  for (const item of items) {
    yield `${isEmpty ? "[" : ","}\n${indent}  `;
    yield* pieces(item);
    isEmpty = false;
  }
  yield isEmpty ? "[]" : `\n${indent}]`;
}

/** JSON as a member of a document that is indented this far. */
export function indentedJson(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}
