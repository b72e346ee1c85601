import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyProject } from "./built-cli.ts";

const skills = new URL("../examples/office-team/skills", import.meta.url).pathname;
const queries = ["帮我审一下这份合同，不要做PPT", "draw a chart of İstanbul sales, no slides please"];

test("route --json is the same to the byte whatever the order of folders, the locale and the time zone", async () => {
  await using project = await emptyProject();
  const names = readdirSync(skills).sort();
  const orders = [
    names,
    [...names].reverse(),
    [...names].sort((a, b) => a.length - b.length || (a < b ? 1 : -1)),
  ];
  const environments = [
    { LC_ALL: "C", TZ: "UTC" },
    { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Asia/Shanghai" },
    { LC_ALL: "zh_CN.UTF-8", LANG: "zh_CN.UTF-8", TZ: "America/St_Johns" },
  ];
  const replies = new Map<string, Set<string>>(queries.map((query) => [query, new Set()]));
  for (const [at, order] of orders.entries()) {
    const folder = join(project.path, `copy-${at}`);
    mkdirSync(folder);
    for (const name of order) cpSync(join(skills, name), join(folder, name), { recursive: true });
    for (const query of queries) {
      const argv = ["route", query, "--skills-dir", folder, "--all", "--json"];
      const { stdout } = await project.run(argv, { env: environments[at] ?? {} });
      replies.get(query)?.add(stdout);
    }
  }

  for (const [query, documents] of replies) expect(documents.size, query).toBe(1);
});
