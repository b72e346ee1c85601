import { isMap } from "../base/is-map.ts";
import type { Json } from "../contract/json.ts";

const wrappers = ["result", "output", "answer"];

/** The answer inside `{"result": …}`, `{"output": …}` or `{"answer": …}`, unless an object is what is expected. */
export function singleAnswer(output: Json, expected: Json): Json {
  if (!isMap(output) || isMap(expected)) return output;
  const present = wrappers.filter((wrapper) => Object.hasOwn(output, wrapper));
  const [only] = present;
  return only !== undefined && present.length === 1 ? (output[only] as Json) : output;
}
