// Skills of all kinds, none like another, as large as public ones are on average.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes so many skills below a folder, with requests of their own or without. */
export function writeManySkills(folder, count, { requests = false } = {}) {
  for (let n = 0; n < count; n++) {
    const id = `${kinds[n % kinds.length].name}-${n}`;
    const files = { ...kinds[n % kinds.length].files(id, n), ...(requests && { "eval.yaml": evalFile(n) }) };
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, id, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

const evalFile = (n) =>
  `triggering:\n  should_match: ["please sort ${words(3, n)} ${n}"]\n  should_not_match: ["what is a ${words(3, n + 2)}"]\n`;

const description = (n) =>
  `Sorts the ${words(3, n)} of a report. Use when the user asks for ${words(4, n + 1)}.`;

const kinds = [
  {
    name: "guide",
    files: (id, n) => ({
      "SKILL.md": `---\nname: ${id}\ndescription: "${description(n)}"\nmetadata:\n  version: "1.0.${n}"\n---\n${prose(6000, n)}\nSee [the details](references/details.md).\n`,
      "references/details.md": prose(8000, n + 1),
      "scripts/count.py": script("count", n),
    }),
  },
  {
    name: "call",
    files: (id, n) => ({
      "skill.json": JSON.stringify({
        id,
        name: id,
        version: "1.0.0",
        description: description(n),
        tags: words(3, n).split(" "),
        adapterType: "http",
        entrypoint: "http://127.0.0.1:9/invoke",
        inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        outputSchema: { type: "object", properties: { result: { type: "number" } } },
      }),
      "adapter.config.json": JSON.stringify({ type: "http" }),
      "README.md": prose(3000, n),
    }),
  },
  {
    name: "prompt",
    files: (id, n) => ({
      "skill.json": JSON.stringify({
        schema_version: "ah32.skill.v1",
        meta: { id, name: id, version: "1.0.0", description: description(n) },
        entry: { system_prompt: "SYSTEM.md" },
        routing: { triggers: [`${words(2, n)} ${n}`] },
        tools: [
          {
            name: `count_${n}`,
            description: "Counts the words of a text",
            parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
          },
        ],
      }),
      "SYSTEM.md": prose(3000, n),
      [`scripts/count_${n}.py`]: script(`count_${n}`, n),
    }),
  },
];

function script(name, n) {
  return `"""Counts words, ${words(4, n)}."""\n\n\ndef ${name}(text: str) -> dict:\n    return {"count": len(text.split())}\n`;
}

function prose(length, seed) {
  let text = `# ${words(3, seed)}\n`;
  for (let n = seed; text.length < length; n += 7)
    text += n % 5 === 0 ? `\n## ${words(4, n)}\n\n` : `${words(12, n)}.\n`;
  return text;
}

const vocabulary =
  "report table invoice total column value customer order region quarter budget forecast margin ledger entry account balance currency rate tax discount shipment carrier warehouse stock supplier contract clause review draft summary outline section figure chart series axis label unit measure sample survey answer question topic theme keyword".split(
    " ",
  );

function words(count, seed) {
  return Array.from(
    { length: count },
    (_, n) => vocabulary[(seed * 31 + n * 17 + ((seed * n) % 13)) % vocabulary.length],
  ).join(" ");
}
