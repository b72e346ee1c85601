import { fillArguments } from "./fill-arguments.mjs";

const weights = { name: 3, description: 2, parameters: 1 };
/** A tool must share more with the instruction than a word among its parameters. */
const leastScore = weights.description;
const filler = new Set(
  "a an and are at by do for from get give in into is it like me my of on or please some such that the this to what which with you your".split(
    " ",
  ),
);

/** The call that serves an instruction best: the tool with most words in common whose arguments are all there. */
export function pickTool(instruction, tools) {
  // What is quoted is cargo: "book a flight" in the body of an email is no wish to fly.
  const wanted = stems(instruction.replace(/"[^"]*"/g, " "));
  let best = { score: leastScore - 1, tool: null };
  for (const tool of tools) {
    const score = scoreOf(tool, wanted);
    if (score <= best.score) continue;
    const args = fillArguments(instruction, tool.parameters ?? {});
    if (args !== null) best = { score, tool: tool.name, args };
  }
  return best.tool === null ? { tool: null } : { tool: best.tool, args: best.args };
}

/** Each word of the instruction counts once, at the place in the tool where it weighs most. */
function scoreOf({ name, description = "", parameters = {} }, wanted) {
  const properties = Object.entries(parameters.properties ?? {});
  const places = [
    [stems(name), weights.name],
    [stems(description), weights.description],
    [stems(properties.map(parameterWords).join(" ")), weights.parameters],
  ];
  let score = 0;
  for (const word of wanted) score += places.find(([words]) => words.has(word))?.[1] ?? 0;
  return score;
}

function parameterWords([name, { description = "", enum: choices = [] }]) {
  return [name, description, ...choices].join(" ");
}

function stems(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !filler.has(word)).map(stem));
}

/** `converter`, `converts` and `convert` are one word. */
function stem(word) {
  const ending = ["ers", "ing", "er", "ed", "es", "s", "e"].find(
    (end) => word.endsWith(end) && word.length - end.length >= 4,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}
