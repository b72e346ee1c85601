import { inertJson } from "../../shared/json/inert-json.ts";

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

/** A JSON document member by member, in this order; `pieces` writes what is too much for one piece, and undefined is left out. */
export function* jsonDocument<Name extends string>(
  names: readonly Name[],
  report: Readonly<Partial<Record<Name, unknown>>>,
  pieces: Readonly<Partial<Record<Name, () => Iterable<string>>>>,
): Generator<string> {
  let before = "{\n";
  for (const name of names) {
    const write = pieces[name];
    if (write === undefined && report[name] === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    if (write === undefined) yield inertJson(report[name], 2).replaceAll("\n", "\n  ");
    else yield* write();
    before = ",\n";
  }
  yield "\n}\n";
}
