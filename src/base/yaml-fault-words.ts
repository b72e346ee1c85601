import type { YAMLError } from "yaml";

/** What is wrong with a line of YAML, for somebody who has never read its specification. */
export interface YamlFaultWords {
  problem: string;
  /** What mends it, where that can be told. */
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
const oneColumn = "begin fields in one column, and keep all of a text inside its quotes";
const dashes = "begin each - in the same column";

/** A field under a value that has begun: YAML takes both for one text, and then finds a colon in it. */
export const indentedField: YamlFaultWords = {
  problem: "the line is indented, and reads like a field of its own",
  hint: "begin it in the column of the other fields, or put the whole value in quotes",
};

/** By the code of the parser and a part of its words; `…` stands for what follows that part. */
const faults: readonly [YAMLError["code"], part: string, problem: string, hint: string][] = [
  ["TAB_AS_INDENT", "", "a tab indents the line", "indent by spaces"],
  ["MISSING_CHAR", 'closing "', 'a " is opened and not closed', 'close it with another "'],
  ["MISSING_CHAR", "closing '", "a ' is opened and not closed", "close it with another '"],
  ["MISSING_CHAR", "map keys need", "no colon follows the key", `${keysLine}; indent what continues a value`],
  ["MULTILINE_IMPLICIT_KEY", "", "this line is no field", keysLine],
  ["BAD_SCALAR_START", "character", "a value begins with …", "put the value in quotes"],
  ["BLOCK_AS_IMPLICIT_KEY", "compact", 'a value contains ": " and is not quoted', "put the value in quotes"],
  ["BLOCK_AS_IMPLICIT_KEY", "sequence", "a list is indented unevenly", dashes],
  ["BAD_INDENT", "mapping items", "the line is indented unlike the fields beside it", oneColumn],
  ["BAD_INDENT", "sequence items", "the line is indented unlike the items beside it", dashes],
  ["BAD_INDENT", "Flow sequence", "a [ is opened and not closed", "close it with ]"],
  ["BAD_INDENT", "Flow map", "a { is opened and not closed", "close it with }"],
  [
    "UNEXPECTED_TOKEN",
    "scalar at node end",
    "text follows where the value has ended",
    "put the whole value in quotes; inside '…' a quote is written ''",
  ],
  [
    "UNEXPECTED_TOKEN",
    "block-seq-ind on same line",
    "a list begins beside its key",
    "begin each - on a line of its own",
  ],
  ["UNEXPECTED_TOKEN", "extra characters:", "text stands beside | or >", "begin the text on the next line"],
  ["BAD_DQ_ESCAPE", "sequence", '… means nothing inside "…"', "use '…' around the text"],
];
