import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { cassettePath, replayModel } from "./cassette.ts";

const of = { provider: "lab", model: "judge", baseUrl: null } as unknown as Parameters<
  typeof cassettePath
>[1];
const request = {
  messages: [{ role: "user", text: "hello" }],
  temperature: 0,
  maxOutputTokens: 10,
  trial: 0,
  ordinal: 1,
} as const;

test.each([
  ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ["a folder", (path: string) => void mkdirSync(path)],
  ["an empty file", (path: string) => writeFileSync(path, "")],
  ["another document", (path: string) => writeFileSync(path, '{"a":1}')],
])("%s in the place of a recording answers nothing and holds nobody up", async (_, put) => {
  await using folder = await temporaryFolder();
  const path = cassettePath(folder.path, of, request);
  mkdirSync(dirname(path), { recursive: true });
  put(path);
  const model = replayModel({ id: "lab/judge", identity: null, folder: folder.path, of });
  const outcome = await model.call(request, { signal: new AbortController().signal });
  expect(outcome).toMatchObject({ status: "failed", fault: "bad-reply" });
});
