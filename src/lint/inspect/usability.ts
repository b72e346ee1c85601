import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { AdapterConfig, type UnitSkill } from "../../contract/unit-skill.ts";
import { markdownLines } from "../../skills/folder/markdown.ts";
import { readPlainFile } from "../../skills/folder/plain-file.ts";
import { readable } from "../../skills/folder/walk-folder.ts";
import { credentialIn } from "../../skills/secrets/credentials.ts";
import { checkedFinding, finding, firstFew } from "./finding.ts";
import { fileInside, listEntries, readInside, readJson } from "./read-inside.ts";

/** Whether the documentation shows how to use the skill, and its files can be read and shared. */
export async function inspectUsability(skill: UnitSkill): Promise<string[]> {
  const documents = ["README.md", "SKILL.md"].map((path) => readInside(skill.dir, path) ?? "");
  const seen = documents.map(describeMarkdown);
  const contents = readContents(skill);
  return [
    finding("usage section", seen.some(({ hasUsage }) => hasUsage) ? null : "no heading such as Usage"),
    finding("code example", seen.some(({ hasExample }) => hasExample) ? null : "no fenced code block"),
    await checkedFinding("UTF-8", async () =>
      inSentence("not readable as text:", (await contents).unreadable),
    ),
    await checkedFinding("adapter config", () => adapterConfigProblem(skill)),
    await checkedFinding("credentials", async () => inSentence("found", (await contents).credentials)),
  ];
}

function inSentence(begin: string, items: readonly string[]): string | null {
  return items.length === 0 ? null : `${begin} ${firstFew(items)}`;
}

const binary =
  /^\.(?:png|jpe?g|gif|webp|ico|bmp|pdf|docx|xlsx|pptx|zip|gz|tgz|tar|whl|woff2?|ttf|otf|mp[34]|wav|wasm|so|dll|dylib|exe|bin|db|sqlite3?|parquet|npy|onnx|pt|pkl|safetensors)$/i;

/** Reads every file once: which are not text, and which hold a secret. */
async function readContents(skill: UnitSkill): Promise<{ unreadable: string[]; credentials: string[] }> {
  const unreadable: string[] = [];
  const credentials: string[] = [];
  const files = listEntries(skill).filter(({ kind }) => kind === "file");
  for (const { path, absolute } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const content = readable(absolute, () => readPlainFile(absolute));
    if (!binary.test(extname(path)) && !isUtf8(content)) unreadable.push(path);
    const credential = credentialIn(content);
    if (credential !== null) credentials.push(`${credential} in ${path}`);
    await setImmediate(); // a large folder must not hold up the deadlines of others
  }
  return { unreadable, credentials };
}

function adapterConfigProblem({ dir, adapter }: UnitSkill): string | null {
  const absolute = fileInside(dir, "adapter.config.json");
  if (absolute === null) return null; // it is optional
  const read = readJson(absolute);
  if (!read.ok) return `not JSON (${read.problem})`;
  const type = (read.value as { type?: unknown } | null)?.type;
  if (type !== adapter.type) return `type is ${JSON.stringify(type)}, adapterType ${adapter.type}`;
  if (type !== "http" && type !== "subprocess") return null;
  const issue = AdapterConfig.safeParse(read.value).error?.issues[0];
  return issue === undefined ? null : `at ${["$", ...issue.path].join(".")} ${issue.message}`;
}

const usage =
  /\b(?:usage|use|using|how to|quick ?start|getting started|instructions)\b|用法|使用|使い方|사용/i;

/** What a document offers to someone who wants to use the skill. */
function describeMarkdown(text: string): { hasUsage: boolean; hasExample: boolean } {
  const seen = { hasUsage: false, hasExample: false };
  let before = "";
  for (const { text: line, kind } of markdownLines(text)) {
    if (kind === "code" && line.trim() !== "") seen.hasExample = true;
    if (kind === "prose") {
      const heading = /^ {0,3}(?:=+|-+)\s*$/.test(line) ? before : /^ {0,3}#{1,6}\s(.*)$/.exec(line)?.[1];
      if (heading !== undefined && usage.test(heading)) seen.hasUsage = true;
    }
    before = line;
  }
  return seen;
}
