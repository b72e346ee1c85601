import { readInside } from "./read-inside.ts";

const longestBytes = 64 * 1024;
const wellFormedName = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What is wrong with the frontmatter of `SKILL.md`, or null: it needs a name and a description. */
export async function frontmatterProblem(dir: string): Promise<string | null> {
  const fields = await readFrontmatter(dir);
  if (typeof fields === "string") return fields;
  const { name, description } = fields;
  if (typeof name !== "string" || name === "") return "name missing";
  if (!wellFormedName.test(name)) return `name "${name}" is not lower-case words joined by -, at most 64`;
  if (typeof description !== "string" || description.trim() === "") return "description missing";
  const length = [...description].length;
  return length > 1024 ? `description has ${length} characters, limit 1024` : null;
}

/** The fields of the frontmatter of `SKILL.md`, every scalar as the text that was written; or what is wrong with it. */
export async function readFrontmatter(dir: string): Promise<Record<string, unknown> | string> {
  const text = readInside(dir, "SKILL.md");
  return text === null ? "SKILL.md is no UTF-8 text" : frontmatterOf(text);
}

/** The same, of the text of a `SKILL.md`. */
export async function frontmatterOf(text: string): Promise<Record<string, unknown> | string> {
  const block = frontmatterBlock(text);
  if (block === null) return "SKILL.md does not begin with a block between --- lines";
  if (Buffer.byteLength(block) > longestBytes) return "longer than 64 KiB";
  return parseFields(block);
}

/** The lines between the first two lines that are exactly `---`. */
export function frontmatterBlock(text: string): string | null {
  const lines = text.split(/\r?\n/);
  const end = lines.indexOf("---", 1);
  return lines[0] === "---" && end !== -1 ? lines.slice(1, end).join("\n") : null;
}

async function parseFields(block: string): Promise<Record<string, unknown> | string> {
  const { parseDocument, visit } = await import("yaml");
  const document = parseDocument(block, { schema: "failsafe", uniqueKeys: true, prettyErrors: false });
  const error = document.errors[0];
  if (error !== undefined) return `not YAML (${error.message})`;
  let hasAlias = false;
  visit(document, {
    Alias: () => {
      hasAlias = true;
      return visit.BREAK;
    },
  });
  if (hasAlias) return "an alias is not allowed";
  const fields: unknown = document.toJS();
  if (fields === null || typeof fields !== "object" || Array.isArray(fields)) return "no list of fields";
  return fields as Record<string, unknown>;
}
