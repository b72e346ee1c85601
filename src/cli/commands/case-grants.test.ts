import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentProject, answer, call, scripted, select } from "../../../test/agent-project.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";

const canary = "CANARY-7f3a90c1";

/** A listener, and a suite whose case approves of itself and sends the canary there. */
async function sendingSuite() {
  const received: string[] = [];
  const server = await httpServer(async (request, response) => {
    received.push(`${request.url} ${await readBody(request)}`);
    response.end("ok");
  });
  const host = new URL(server.url).host;
  const sends = scripted(
    "sends",
    {
      enable_tools: ["network_request"],
      approvals: [{ tool: "network_request", decision: "grant", scope: "run" }],
      constraints: { network_hosts: [host] },
    },
    [
      select("fines"),
      call("network_request", { url: `${server.url}/in`, method: "POST", body: canary }),
      answer(),
    ],
  );
  const project = await agentProject({
    "evals/suite.json": JSON.stringify({ suite: "evals", cases: [scripted("quiet"), sends] }, null, 2),
  });
  return {
    ...project,
    host,
    received,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

describe("a case that opens the network and approves of itself", () => {
  test.each([[[]], [["--network", "none"]], [["--network", "open"]], [["--sandbox", "strict"]]])(
    "is refused with %j, and nothing arrives",
    async (flags) => {
      await using project = await sendingSuite();

      const { exitCode, document } = await project.run(["agent", "eval", "evals", "--json", ...flags]);

      expect([exitCode, document.error.code, project.received]).toEqual([2, "grant-missing", []]);
      expect(document.error.message).toMatch(
        /host:127\.0\.0\.1:\d+ {2}receives requests of an agent .*for evals\/sends {2}\(evals\/suite\.json:\d+:\d+\)/,
      );
      expect(document.error.hint).toContain(`--grant host:${project.host}`);
      expect(project.runs()).toEqual([]);
    },
  );

  test("sends when a person grants the host, which the run says before, stores and shows", async () => {
    await using project = await sendingSuite();

    const granted = ["--grant", `host:${project.host}`];
    const { exitCode, document, stderr } = await project.run([
      "agent",
      "eval",
      "evals",
      "--json",
      ...granted,
    ]);

    expect([exitCode, project.received]).toEqual([0, [`/in ${canary}`]]);
    expect(stderr).toContain(`sends to ${project.host} (case evals/sends)\n`);
    expect(document.run.grants).toMatchObject([
      { kind: "host", value: project.host, subject: "evals/sends", by: "flag" },
    ]);
    expect(project.read("reports/agent-result.md")).toContain(`sends to ${project.host}`);
  });

  test("is left out with --skip-ungranted and shown as skipped, and the others run", async () => {
    await using project = await sendingSuite();

    const { exitCode, document } = await project.run([
      "agent",
      "eval",
      "evals",
      "--json",
      "--skip-ungranted",
    ]);

    expect([exitCode, project.received, document.subjects[0].counts.pass]).toEqual([0, [], 1]);
    expect(document.skipped).toEqual([
      expect.objectContaining({ caseId: "sends", reason: `not granted: host:${project.host}` }),
    ]);
    const alone = ["agent", "eval", "evals", "--json", "--skip-ungranted", "--case", "sends"];
    expect((await project.run(alone)).document.error.code).toBe("nothing-to-do");
  });
});

const conversation = {
  kind: "conversation",
  input: "x",
  setup: { route: { forced: "fines" } },
  mock: { turns: [{ final: "ten cents" }] },
};

describe("a path of a case that leaves the project", () => {
  test.each([
    ["input.file", (path: string) => scripted("a", { input: { file: path } })],
    ["setup.skill_roots", () => scripted("a", { setup: { skill_roots: ["../private"] } })],
    ["setup.preinstall_skills", () => scripted("a", { setup: { preinstall_skills: ["../private"] } })],
    [
      "expect.output.equals_file",
      (path: string) => scripted("a", { expect: { output: { equals_file: path } } }),
    ],
    ["expect.files", (path: string) => scripted("a", { expect: { files: [{ path: "x", equals: path }] } })],
    ["input.file", (path: string) => ({ ...conversation, id: "a", input: { file: path } })],
    ["setup.document", (path: string) => ({ ...conversation, id: "a", setup: { document: path } })],
  ])("is refused for %s, and granted by --grant read:", async (member, makeCase) => {
    await using project = await agentProject();
    mkdirSync(project.at("../private"));
    writeFileSync(project.at("../private/secret.md"), canary);
    const outside = project.at("../private").replace("/work/..", "");
    project.write("evals/suite.json", { suite: "evals", cases: [makeCase(join(outside, "secret.md"))] });

    const refused = await project.run(["agent", "eval", "evals", "--json"]);

    expect([refused.exitCode, refused.document.error.code]).toEqual([2, "grant-missing"]);
    expect(refused.document.error.message).toContain(`read:${outside}`);
    expect(refused.document.error.message).toContain(`read for $.${member}`);
    expect(refused.stdout).not.toContain(canary);
    expect([project.runs(), project.exists("eval-skills.db")]).toEqual([[], false]);
    const granted = await project.run(["agent", "eval", "evals", "--json", "--grant", "read:../private"]);
    expect(granted.document.run.grants[0]).toMatchObject({ kind: "read", by: "flag" });
  });

  test.each([
    ["up the folders", "../../private/secret.md"],
    ["through a link", "link.md"],
    ["through a linked folder", "linked/secret.md"],
  ])("is found out %s", async (_, file) => {
    await using project = await agentProject();
    mkdirSync(project.at("../private"));
    writeFileSync(project.at("../private/secret.md"), canary);
    project.write("evals/suite.json", { suite: "evals", cases: [scripted("a", { input: { file } })] });
    symlinkSync("../../private/secret.md", project.at("evals/link.md"));
    symlinkSync("../../private", project.at("evals/linked"));

    const { document } = await project.run(["agent", "eval", "evals/suite.json", "--json"]);

    expect(document.error).toMatchObject({
      code: "grant-missing",
      message: expect.stringContaining("read:"),
    });
  });

  test("is found out behind `inputs/` and behind the case itself", async () => {
    await using project = await agentProject({ "evals/a/case.json": scripted("a"), "evals/b/note": "" });
    mkdirSync(project.at("../private"));
    writeFileSync(project.at("../private/secret.md"), canary);
    writeFileSync(project.at("../private/case.json"), JSON.stringify(scripted("b")));
    symlinkSync("../../../private", project.at("evals/a/inputs"));
    symlinkSync("../../../private/case.json", project.at("evals/b/case.json"));

    const { document } = await project.run(["agent", "eval", "evals", "--json"]);

    expect(document.error.code).toBe("grant-missing");
    expect(document.error.message).toMatch(/for evals\/a .*\n.*for evals\/b /);
  });

  test("needs no grant where the user named its folder", async () => {
    await using project = await agentProject({
      "../shared/suite.json": { suite: "s", cases: [scripted("a", { input: { file: "ask.md" } })] },
    });
    project.write("../shared/ask.md", "What does it cost?");

    expect((await project.run(["agent", "eval", "../shared", "--json"])).exitCode).toBe(0);
  });
});
