import type { YAMLError } from "yaml";

/** What is wrong with a line of YAML, for somebody who has never read its specification. */
export interface YamlFaultWords {
  problem: string;
  /** What fixes it, where that is known. */
  hint?: string | undefined;
}

/** Puts the words of the parser into plain ones. */
export function yamlFaultWords({ code, message }: Pick<YAMLError, "code" | "message">): YamlFaultWords {
  const known = faults.find(([of, part]) => of === code && message.includes(part));
  if (known === undefined) return { problem: message.charAt(0).toLowerCase() + message.slice(1) };
  const [, part, problem, hint] = known;
  const sign = message.slice(message.indexOf(part) + part.length).trim();
  return { problem: problem.replace("…", () => sign), hint };
}

const keysLine = "write `key: value`, with a space after the colon";
const oneColumn = "start all fields in the same column, and close every quote";
const dashes = "start each - in the same column";

/** A field under a value that has begun: YAML takes both for one text, and then finds a colon in it. */
export const indentedField: YamlFaultWords = {
  problem: "the line is indented but looks like a separate field",
  hint: "start it in the column of the other fields, or put the whole value in quotes",
};

/** By error code of the parser and a part of its message; `…` is what follows that part. */
const faults: readonly [YAMLError["code"], part: string, problem: string, hint: string][] = [
  ["TAB_AS_INDENT", "", "the line is indented with a tab", "indent with spaces"],
  ["MISSING_CHAR", 'closing "', 'unclosed "', 'close it with another "'],
  ["MISSING_CHAR", "closing '", "unclosed '", "close it with another '"],
  ["MISSING_CHAR", "map keys need", "no colon follows the key", `${keysLine}; indent what continues a value`],
  ["MULTILINE_IMPLICIT_KEY", "", "this line is not a field", keysLine],
  ["BAD_SCALAR_START", "character", "a value begins with …", "put the value in quotes"],
  ["BLOCK_AS_IMPLICIT_KEY", "compact", 'a value contains ": " and is not quoted', "put the value in quotes"],
  ["BLOCK_AS_IMPLICIT_KEY", "sequence", "the list is indented inconsistently", dashes],
  ["BAD_INDENT", "mapping items", "the line is not indented like the other fields", oneColumn],
  ["BAD_INDENT", "sequence items", "the line is not indented like the other items", dashes],
  ["BAD_INDENT", "Flow sequence", "unclosed [", "close it with ]"],
  ["BAD_INDENT", "Flow map", "unclosed {", "close it with }"],
  [
    "UNEXPECTED_TOKEN",
    "scalar at node end",
    "text follows the end of the value",
    "put the whole value in quotes; inside '…' a quote is written ''",
  ],
  [
    "UNEXPECTED_TOKEN",
    "block-seq-ind on same line",
    "the list starts on the line of its key",
    "start each - on its own line",
  ],
  [
    "UNEXPECTED_TOKEN",
    "extra characters:",
    "text follows | or > on the same line",
    "start the text on the next line",
  ],
  ["BAD_DQ_ESCAPE", "sequence", '… means nothing inside "…"', "use '…' around the text"],
];
