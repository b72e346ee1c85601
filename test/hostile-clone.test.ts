import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../src/cli/run-command-line.ts";
import { commandsIn } from "./commands-in-help.ts";
import { type HostileLine, linkedLines, quietLines, skillLines } from "./hostile-clone/command-lines.ts";
import { askingConfig, linkOutputs, writeClone } from "./hostile-clone/files.ts";
import { forgeRecords, recordingLine, recordLines } from "./hostile-clone/records.ts";
import { betrayedFiles, tryLine, tryProcess } from "./hostile-clone/try-line.ts";
import { hostileWorld, put } from "./hostile-clone/world.ts";
import { describeStrict } from "./strict-machine.ts";

/** The only command that does not end by itself. */
const endless = "telemetry serve --port 0";
/** What every command must leave behind: nothing. */
const nothing = { sent: [], betrayed: [], escapes: [], changed: [] };

const endOf = ({ code }: HostileLine) => (typeof code === "number" ? code : expect.toBeOneOf([...code]));

async function openClone(config?: "asking") {
  const world = await hostileWorld();
  await writeClone(world);
  if (config === "asking")
    await put(join(world.clone, "eval-skills.config.yaml"), JSON.stringify(askingConfig(world)));
  return world;
}

describe("a hostile clone", { timeout: 120_000 }, () => {
  test.concurrent("fault row 90: commands that run no skill send nothing, write nothing outside and start no program of it", async () => {
    await using world = await openClone();
    for (const one of quietLines) {
      const { printed, ...traces } = await tryLine(world, one);
      expect(traces, `${one.line}\n${printed}`).toEqual({ code: endOf(one), ...nothing });
    }
    expect(await betrayedFiles(world)).toEqual([]);
    const page = await readFile(join(world.clone, "page.html"), "utf8");
    expect(page).toContain("alert(1)");
    expect(page).not.toContain("<script>alert");
  });

  test.concurrent("fault row 90: nor does any command where its configuration asks for everything", async () => {
    await using world = await openClone("asking");
    for (const one of [...quietLines, ...skillLines]) {
      const { printed, code, ...traces } = await tryLine(world, one);
      expect(traces, `${one.line}\n${printed}`).toEqual(nothing);
      const isStopped = code !== 0 || quietLines.includes(one);
      expect(isStopped, `${one.line}\n${printed}`).toBe(true);
    }
    expect(await betrayedFiles(world)).toEqual([]);
  });

  test.concurrent("fault row 90: nor do commands over what its author left: stores, telemetry, reports, logs of runs", async () => {
    await using world = await openClone();
    const { code, printed } = await tryLine(world, recordingLine);
    expect(code, printed).toEqual(endOf(recordingLine));
    await forgeRecords(world);
    for (const one of recordLines) {
      const { printed, ...traces } = await tryLine(world, one);
      expect(traces, `${one.line}\n${printed}`).toEqual({ code: endOf(one), ...nothing });
    }
    expect(await betrayedFiles(world)).toEqual([]);
  });

  test.concurrent("fault row 90: nor does the server of telemetry, which ends only when it is told to", async () => {
    await using world = await openClone();
    await tryLine(world, { line: "agent eval cases/plain.json" });
    const { printed, ...traces } = await tryProcess(world, endless, /Listening at http/);
    expect(traces, printed).toEqual({ code: 0, ...nothing });
  });

  test.concurrent("fault row 90: nothing is written through a link of it, and the message names the link", async () => {
    await using world = await openClone();
    const { code, printed } = await tryLine(world, { line: `${recordingLine.line} --runs-dir left` });
    expect(code, printed).toBe(0);
    const shard =
      "agent eval cases/plain.json --store left.db --runs-dir left --shard 1/1 --output-dir blobs";
    expect((await tryLine(world, { line: shard })).code).toBe(0);
    const at = (path: string) => join(world.clone, path);
    await copyFile(at("reports/agent-result.json"), at("left.json"));
    await copyFile(at("left.db"), at("beside.db"));
    await linkOutputs(world);
    for (const one of linkedLines) {
      const { printed, ...traces } = await tryLine(world, one);
      expect(traces, `${one.line}\n${printed}`).toEqual({ code: 2, ...nothing });
      expect(printed, one.line).toContain(`${one.link} is a link`);
    }
  });

  test.concurrent("fault row 90: every command is tried", async () => {
    await using world = await hostileWorld();
    const commands = await commandsIn(async (name) => {
      let help = "";
      const write = (text: string) => {
        help += text;
      };
      const context = { cwd: world.clone, home: world.home, env: {}, stdout: { write }, stderr: { write } };
      await runCommandLine([...name.split(" ").filter(Boolean), "--help"], context);
      return help;
    });
    const lines = [...[...quietLines, ...skillLines].map(({ line }) => line), endless];
    const untried = commands.filter((name) => !lines.some((line) => `${line} `.startsWith(`${name} `)));
    expect(commands.length).toBeGreaterThan(30);
    expect(untried).toEqual([]);
  });
});

describeStrict("skills of a hostile clone", { timeout: 120_000 }, () => {
  test.concurrent("fault row 90: contained with an open network, they find no secret to send and nothing to write", async () => {
    await using world = await openClone();
    const arrived: string[] = [];
    for (const one of skillLines) {
      const { printed, sent, ...traces } = await tryLine(world, one);
      expect(traces, `${one.line}\n${printed}`).toEqual({
        code: endOf(one),
        betrayed: [],
        escapes: [],
        changed: [],
      });
      arrived.push(...sent.map((text) => text.slice(0, text.indexOf(" HTTP"))));
    }
    expect(await betrayedFiles(world)).toEqual([]);
    // They did run, and they did try.
    const attackers = [
      "thief",
      "shimmed",
      "module",
      "stdio",
      "scorer",
      "scorer-program",
      "setup",
      "service",
      "teardown",
      "echo-tool",
      "agent-script",
      "executor",
    ];
    expect([...new Set(arrived)].sort()).toEqual(attackers.map((name) => `POST /${name}`).sort());
  });

  test.concurrent.each([
    ["--network none", skillLines],
    ["--sandbox strict", skillLines.filter(({ line }) => /^(?:eval|agent eval|test)/.test(line))],
  ] as const)("fault row 90: with %s nothing leaves", async (flags, lines) => {
    await using world = await openClone();
    for (const one of lines) {
      const { printed, ...traces } = await tryLine(world, { line: `${one.line} ${flags}` });
      expect(traces, `${one.line}\n${printed}`).toEqual({ code: endOf(one), ...nothing });
    }
    expect(await betrayedFiles(world)).toEqual([]);
  });
});

describe("a service of this machine", { timeout: 120_000 }, () => {
  test.concurrent("fault row 90: gets an input of a task and no secret; nothing where nothing may leave", async () => {
    await using world = await openClone();
    const line = "eval --skills loopback --tasks one.json";

    const usual = await tryLine(world, { line });
    const closed = await tryLine(world, { line: `${line} --network none` });
    const strict = await tryLine(world, { line: `${line} --sandbox strict` });

    expect(usual, usual.printed).toMatchObject({ code: 0, betrayed: [], changed: [] });
    expect(usual.sent).toEqual([expect.stringMatching(/^POST \/served .*"input":\{"query":"hi"\}\}$/s)]);
    for (const one of [closed, strict]) expect(one, one.printed).toMatchObject({ code: 2, ...nothing });
  });
});

describeStrict("skills of a hostile clone, run as users run them", { timeout: 120_000 }, () => {
  test.concurrent("fault row 90: no process they can look at holds a secret", async () => {
    await using world = await openClone();
    const { printed, sent, ...traces } = await tryProcess(world, "eval --skills skills --tasks one.json");
    expect(traces, printed).toEqual({ code: 0, betrayed: [], escapes: [], changed: [] });
    expect(sent.length).toBeGreaterThan(2);
  });
});

describe("skills of a hostile clone that are not contained", { timeout: 120_000 }, () => {
  test.concurrent("fault row 90: run as skill processes, without the secrets of the environment", async () => {
    await using world = await openClone();
    for (const one of skillLines) {
      const { betrayed, changed, code, printed } = await tryLine(world, {
        line: `${one.line} --sandbox process`,
      });
      expect(changed.filter((path) => path !== world.marker && path !== world.outside)).toEqual([]);
      expect(betrayed.filter((secret) => !secret.startsWith("canary-file"))).toEqual([]);
      expect(code, `${one.line}\n${printed}`).toEqual(endOf(one));
    }
    const markers = (await readFile(world.marker, "utf8")).trim().split("\n");
    expect(markers.filter((line) => line.includes("cell=none"))).toEqual([]);
    expect(markers.length).toBeGreaterThan(10);
  });
});
