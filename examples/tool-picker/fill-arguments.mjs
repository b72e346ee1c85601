/** `Oslo`, `New York`, `Rio de Janeiro`. */
const properNoun = "(\\p{Lu}[\\p{L}'-]*(?: (?:(?:de|del|la|of|am) )?\\p{Lu}[\\p{L}'-]*)*)";

/** The arguments an instruction gives for these parameters, or null where one that is required is not in it. */
export function fillArguments(instruction, { properties = {}, required = [] }) {
  const text = readInstruction(instruction);
  const args = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = valueFor(
      { name, words: `${name.replaceAll("_", " ")} ${schema.description ?? ""}` },
      schema,
      text,
    );
    if (value !== undefined) args[name] = value;
    else if (required.includes(name)) return null;
  }
  return args;
}

/** The instruction in parts: what is quoted, the rest, and the rest before and after its `to`. */
function readInstruction(instruction) {
  const quotes = [...instruction.matchAll(/(\S*)\s*"([^"]*)"/g)].map(([, label, quoted]) => ({
    label: label.toLowerCase(),
    quoted,
    isUsed: false,
  }));
  const plain = instruction.replace(/"[^"]*"/g, '""');
  const [, before = plain, after = plain] = /^(.*?)\b(?:to|into)\b(.*)$/is.exec(plain) ?? [];
  const numbers = [...plain.matchAll(/(?<![\w:.-])-?\d+(?:\.\d+)?(?![\w:-])(?: (\p{L}+))?/gu)].map(
    ([text, next = ""]) => ({ value: Number.parseFloat(text), next: next.toLowerCase(), isUsed: false }),
  );
  return { plain, before, after, quotes, numbers };
}

function valueFor(parameter, schema, text) {
  if (Array.isArray(schema.enum)) return chosen(schema.enum, partFor(parameter, text));
  switch (schema.type) {
    case "number":
    case "integer":
      return takeNumber(parameter, schema, text);
    case "array":
      return listed(text.plain);
    case "string":
      return stringFor(parameter, schema, text);
    default:
      return undefined;
  }
}

/** Where a value is to be looked for: what comes from somewhere stands before the `to`, what goes somewhere behind it. */
function partFor({ words }, { plain, before, after }) {
  if (isSource(words)) return before;
  return isTarget(words) ? after : plain;
}

// "Words to look for" goes nowhere: `to` counts only where a name begins or a description ends with it.
function isSource(words) {
  return /^from\b|\bfrom$|\b(?:origin|departure|begins?|source)\b/i.test(words);
}

function isTarget(words) {
  return /^to\b|\b(?:in)?to$|\b(?:destination|arrival|ends?|target)\b/i.test(words) && !isSource(words);
}

function chosen(choices, part) {
  const words = part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return choices.find((choice) => words.includes(String(choice).toLowerCase()));
}

/** The number whose unit the parameter names, else the first that nobody took. */
function takeNumber({ words }, { type }, { numbers }) {
  const free = numbers.filter(
    ({ value, isUsed }) => !isUsed && (type === "number" || Number.isInteger(value)),
  );
  const named = free.find(({ next }) => next !== "" && words.toLowerCase().split(/\W+/).includes(next));
  const found = named ?? free[0];
  if (found === undefined) return undefined;
  found.isUsed = true;
  return found.value;
}

/** `milk, eggs and bread` of `Add milk, eggs and bread to …`. */
function listed(plain) {
  const items = /^\p{L}+ (.+?) (?:to|from|in|on)\b/iu.exec(plain)?.[1];
  return items?.split(/,? and |, /).map((item) => item.trim());
}

const shapes = [
  [/email|e-mail/i, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/],
  [/\bdate\b|YYYY-MM-DD/i, /\b\d{4}-\d\d-\d\d\b/],
  [/\btime\b|HH:MM/i, /\b\d{1,2}:\d\d\b/],
  [/phone/i, /\+?\d[\d -]{5,}\d/],
  [/\burl\b|web address/i, /https?:\/\/\S+/],
  [/symbol|ticker/i, /\b[A-Z]{2,5}\b/],
];

function stringFor(parameter, { format = "", pattern }, text) {
  const { name, words } = parameter;
  const part = partFor(parameter, text);
  if (pattern !== undefined)
    return part.match(/[\w-]+/g)?.find((word) => new RegExp(pattern, "u").test(word));
  const shape = shapes.find(([kind]) => kind.test(`${words} ${format}`));
  if (shape !== undefined) return shape[1].exec(text.plain)?.[0];
  const quoted = takeQuote(name, words, text.quotes);
  if (quoted !== undefined) return quoted;
  if (isSource(words)) return after("from", text.plain) ?? after("of", text.before);
  if (isTarget(words)) return after("to|into", text.plain);
  if (/location|city|place|town|country/i.test(words)) return after("in|at|for|near", text.plain);
  if (isProse(words)) return /\b(?:for|about|that) (.+?)[.?!]?$/i.exec(text.plain)?.[1];
  return after(name.replaceAll("_", " "), text.plain);
}

/** A quote that is called by the parameter's name, else for a parameter of free text the first without a label. */
function takeQuote(name, words, quotes) {
  const free = quotes.filter(({ isUsed }) => !isUsed);
  const found =
    free.find(({ label }) => label === name.toLowerCase()) ?? (isProse(words) ? free[0] : undefined);
  if (found === undefined) return undefined;
  found.isUsed = true;
  return found.quoted;
}

function isProse(words) {
  return /text|words|query|title|message|note|subject|body/i.test(words);
}

/** The name that follows one of these words: `from Lisbon`, `in New York`. */
function after(words, text) {
  return new RegExp(`\\b(?:${words}) (?:the )?${properNoun}`, "u").exec(text)?.[1];
}
