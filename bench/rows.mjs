// The rows of the speed table: what is done, the limit to approach, and the target.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { measure, sideBySide, startServer, untilFirstRequest } from "./measure.mjs";

const node = process.execPath;

/** Each row returns what the bare way took, what we took, and what else is judged. */
export const rows = [
  {
    id: "start",
    work: "CLI start (--version)",
    limit: "bare `node -e 0`",
    target: 1.3,
    run: ({ cli }) =>
      sideBySide(
        15,
        () => measure([node, "-e", "0"]),
        () => measure([node, cli, "--version"]),
      ),
  },
  {
    id: "eval-start",
    work: "start of `eval` until its first request arrives",
    limit: "bare node with undici and SQLite, one request",
    targetExtraMs: 80,
    run: async (workspace) => {
      const tasks = workspace.tasks(1);
      const measured = await sideBySide(
        9,
        () =>
          untilFirstRequest((origin) => [
            node,
            workspace.program("bare-start.mjs"),
            origin,
            workspace.file("bare.db"),
          ]),
        () =>
          untilFirstRequest((origin) => workspace.evalCommand(workspace.httpSkill("first", origin), tasks)),
      );
      return { ...measured, extraMs: measured.ours - measured.bare };
    },
  },
  {
    id: "fixed",
    work: "fixed cost of a run: load 5,000 tasks, start, run one of them, write reports",
    limit: "bare `node -e 0`",
    targetExtraMs: 350,
    run: (workspace) =>
      withServer(workspace, {}, async (origin) => {
        const skill = workspace.httpSkill("fixed", origin);
        const tasks = workspace.tasks(5000);
        const measured = await sideBySide(
          9,
          () => measure([node, "-e", "0"]),
          () => measure(workspace.evalCommand(skill, tasks, "--case", "t1")),
        );
        return { ...measured, extraMs: measured.ours - measured.bare };
      }),
  },
  {
    id: "http",
    work: "HTTP, 5,000 tasks, concurrency 32, store and reports on",
    limit: "bare undici Pool loop, same POSTs",
    target: 2.3,
    targetMb: 140,
    run: (workspace) =>
      withServer(workspace, {}, async (origin) => {
        const skill = workspace.httpSkill("http", origin);
        const tasks = workspace.tasks(5000);
        return sideBySide(
          5,
          () => measure([node, workspace.program("bare-http.mjs"), origin, "5000", "32"]),
          () => measure(workspace.evalCommand(skill, tasks, "--concurrency", "32")),
        );
      }),
  },
  {
    id: "http-margin",
    work: "marginal processor time of a cell over HTTP, from 5,000 to 20,000 tasks",
    limit: "5,000 tasks",
    targetCellMs: 0.15,
    unit: "ms of CPU",
    run: (workspace) =>
      withServer(workspace, {}, async (origin) => {
        const skill = workspace.httpSkill("margin", origin);
        const cpuOf = async (count) => {
          const { cpuMs } = await measure(
            workspace.evalCommand(skill, workspace.tasks(count), "--concurrency", "32"),
          );
          return { wallMs: cpuMs, peakMb: 0 };
        };
        const measured = await sideBySide(
          3,
          () => cpuOf(5000),
          () => cpuOf(20_000),
        );
        return { ...measured, cellMs: (measured.ours - measured.bare) / 15_000 };
      }),
  },
  {
    id: "slow-http",
    work: "HTTP skill of 50 ms, 1,000 tasks, concurrency 32",
    limit: "bare undici Pool loop on the same server",
    target: 1.1,
    run: (workspace) =>
      withServer(workspace, { DELAY_MS: "50" }, async (origin) => {
        const skill = workspace.httpSkill("slow", origin);
        const tasks = workspace.tasks(1000);
        const measured = await sideBySide(
          5,
          () => measure([node, workspace.program("bare-http.mjs"), origin, "1000", "32"]),
          () => measure(workspace.evalCommand(skill, tasks, "--concurrency", "32")),
        );
        return { ...measured, note: `${(measured.ours / ((1000 * 50) / 32)).toFixed(2)} × of the ideal` };
      }),
  },
  {
    id: "throttled-http",
    work: "HTTP skill with 8 places (429 beyond) of 50 ms, 400 tasks, concurrency 32",
    limit: "400 × 50 ms / 8",
    target: 1.3,
    run: (workspace) =>
      againstIdeal(workspace, {
        env: { DELAY_MS: "50", PLACES: "8" },
        count: 400,
        idealMs: (400 * 50) / 8,
        flags: ["--retries", "8"],
      }),
  },
  {
    id: "per-call",
    work: "subprocess per call, 200 tasks, concurrency 4",
    limit: "bare spawn loop of the same program",
    target: 1.1,
    run: (workspace) =>
      besidePython(workspace, { lifecycle: "per-call", count: 200, loop: "bare-spawn.mjs", bareLanes: 4 }),
  },
  {
    id: "strict",
    work: "the same program in strict containment, 100 tasks, one after the other",
    limit: "at level process",
    targetExtraMs: 8,
    run: async (workspace) => {
      const skill = workspace.pythonSkill("strict", "per-call", "/usr/bin/python3");
      const tasks = workspace.tasks(100);
      const at = (level) => () =>
        measure(workspace.evalCommand(skill, tasks, "--sandbox", level, "--concurrency", "1"));
      const measured = await sideBySide(5, at("process"), at("strict"));
      return { ...measured, extraMs: (measured.ours - measured.bare) / 100 };
    },
  },
  {
    id: "persistent",
    work: "subprocess persistent, 5,000 tasks, as many processes as the default concurrency (4)",
    limit: "bare line-delimited loop over as many pipes",
    target: 4,
    targetCellMs: 0.15,
    run: async (workspace) => {
      const setting = { lifecycle: "persistent", count: 5000, loop: "bare-pipe.mjs", bareLanes: 4 };
      const measured = await besidePython(workspace, setting);
      const skill = workspace.pythonSkill("persistent", "persistent");
      const [few, many] = [
        await measure(workspace.evalCommand(skill, workspace.tasks(5000))),
        await measure(workspace.evalCommand(skill, workspace.tasks(20_000))),
      ];
      return { ...measured, cellMs: (many.cpuMs - few.cpuMs) / 15_000 };
    },
  },
  {
    id: "mcp",
    work: "MCP over stdio, 2,000 calls, concurrency 4",
    limit: "bare loop with the SDK's client and transport, as many lanes",
    target: 1.35,
    run: async (workspace) => {
      const four = await besideMcp(workspace, { rounds: 5, lanes: 4 });
      const one = await besideMcp(workspace, { rounds: 3, lanes: 1 });
      return { ...four, note: `${(one.ours / one.bare).toFixed(2)} × in one lane on each side` };
    },
  },
  {
    id: "tool-host",
    work: "2,000 calls of a tool in hosts that stay, arguments and results checked, a new host every 100 calls",
    limit: "bare line-delimited loop over one pipe to a Python echo",
    targetPerSecond: 2000,
    run: (workspace) => {
      const program = workspace.program("tool-host.mjs");
      const { bare, ours } = JSON.parse(execFileSync(node, ["--import", "tsx", program]).toString());
      const best = (2_000_000 / ours.best).toFixed(0);
      const perSecond = 2_000_000 / ours.median;
      return { bare: bare.median, ours: ours.median, perSecond, note: `(best round ${best})` };
    },
  },
  {
    id: "skills",
    work: "doctor over 2,000 skills of all kinds, tokens counted",
    limit: "bare loop that reads the same files",
    run: async (workspace) => {
      const folder = workspace.manySkills(2000);
      const measured = await sideBySide(
        3,
        () => measure([node, workspace.program("bare-read.mjs"), folder]),
        () => measure([node, workspace.cli, "doctor", folder, "--json"]),
      );
      return {
        ...measured,
        note: `${(2000 / (measured.ours / 1000)).toFixed(0)} skills/s, ${measured.peakMb.toFixed(0)} MB`,
      };
    },
  },
  {
    id: "route",
    work: "1,000 requests routed among 2,000 skills once indexed, by words, English and Chinese",
    limit: "bare loop that looks for the words of the request in every text",
    target: 2,
    run: (workspace) => {
      const program = [workspace.program("route.mjs"), "2000", "200"];
      const measured = JSON.parse(execFileSync(node, ["--import", "tsx", ...program]).toString());
      const each = (name) => `${measured[name].toFixed(1)} ms`;
      return {
        bare: 1000 * measured.bare,
        ours: 1000 * measured.ours,
        note: `English ${each("English")}, Chinese ${each("Chinese")}, with vectors ${each("vectors")}; indexing ${measured.indexMs.toFixed(0)} ms`,
      };
    },
  },
  {
    id: "json-stream",
    work: "10 MB of long answers through the streaming JSON parser in chunks of 12 bytes, every part told",
    limit: "bare loop that decodes each chunk, joins them and parses once",
    targetMbPerSecond: 40,
    run: (workspace) => {
      const measured = JSON.parse(
        execFileSync(node, ["--import", "tsx", workspace.program("json-stream.mjs")]).toString(),
      );
      const rate = ({ median }) => 10_000 / median;
      const told = (name) => `${rate(measured[name]).toFixed(0)} MB/s`;
      return {
        bare: measured.bare.median,
        ours: measured.ours.median,
        mbPerSecond: rate(measured.ours),
        note: `(best round ${(10_000 / measured.ours.best).toFixed(0)}); Chinese ${told("Chinese")}, in one chunk ${told("whole")}, JSON.parse alone ${told("parse")}`,
      };
    },
  },
  {
    id: "agent",
    work: "500 agent cases of three turns on a script, graded, store and reports on",
    limit: "bare loop that writes as many run directories of that size",
    target: 3,
    run: async (workspace) => {
      const suite = workspace.agentSuite(500);
      const folder = () => mkdtempSync(join(workspace.folder, "bare-runs-"));
      const measured = await sideBySide(
        3,
        () => measure([node, workspace.program("bare-runs.mjs"), folder(), "500"]),
        () => measure(workspace.agentCommand(suite)),
      );
      const { wallMs: startMs } = await measure(workspace.agentCommand(suite, "--case", "case-1"));
      const many = await measure(workspace.agentCommand(suite, "--runs", "6"));
      const memory = `peak ${measured.peakMb.toFixed(0)} MB, with six times as many runs ${many.peakMb.toFixed(0)} MB`;
      const perSecond = 499_000 / (measured.ours - startMs);
      return { ...measured, perSecond, note: `once started; ${memory}` };
    },
  },
  {
    id: "telemetry",
    work: "100,000 events over HTTP to `telemetry serve`, 500 a post, 8 lanes, none lost, none twice",
    limit: "bare loop that puts the same rows into SQLite, 500 a transaction",
    target: 3,
    run: (workspace) => {
      const program = [workspace.program("telemetry.mjs"), workspace.cli, "3"];
      const measured = JSON.parse(execFileSync(node, ["--import", "tsx", ...program]).toString());
      const perSecond = measured.count / (measured.ours / 1000);
      const wait = `a question in between waits ${measured.slowestMs.toFixed(0)} ms at most`;
      return { ...measured, perSecond, note: `(${wait}; ${measured.peakMb.toFixed(0)} MB)` };
    },
  },
  {
    id: "memory",
    work: "100,000 cells against 1,000: peak memory",
    limit: "equal",
    target: 1.25,
    unit: "MB",
    run: (workspace) =>
      withServer(workspace, {}, async (origin) => {
        const skill = workspace.httpSkill("memory", origin);
        const tasks = workspace.tasks(1000);
        const few = await measure(workspace.evalCommand(skill, tasks, "--concurrency", "32"));
        const many = await measure(
          workspace.evalCommand(skill, tasks, "--concurrency", "32", "--runs", "100"),
        );
        const perCell = (many.wallMs - few.wallMs) / 99_000;
        return {
          bare: few.peakMb,
          ours: many.peakMb,
          note: `${perCell.toFixed(2)} ms a cell over the last 99,000`,
        };
      }),
  },
];

async function withServer(workspace, env, work) {
  const server = await startServer(workspace.program("echo-server.mjs"), env);
  try {
    return await work(server.origin);
  } finally {
    server.stop();
  }
}

/** Beside a time that nobody can beat. */
function againstIdeal(workspace, { env, count, idealMs, flags = [] }) {
  return withServer(workspace, env, async (origin) => {
    const skill = workspace.httpSkill(`http_${count}`, origin);
    const tasks = workspace.tasks(count);
    const ours = () => measure(workspace.evalCommand(skill, tasks, "--concurrency", "32", ...flags));
    return sideBySide(5, async () => ({ wallMs: idealMs }), ours);
  });
}

/** `eval` of the Python skill at its default concurrency, beside a bare loop over the same program. */
function besidePython(workspace, setting) {
  const skill = workspace.pythonSkill(setting.lifecycle.replace("-", "_"), setting.lifecycle);
  const tasks = workspace.tasks(setting.count);
  return sideBySide(
    5,
    () => measure(bareLoop(workspace, setting)),
    () => measure(workspace.evalCommand(skill, tasks)),
  );
}

/** `eval` of a tool beside the SDK's own client, both with as many servers as lanes. */
function besideMcp(workspace, { rounds, lanes }) {
  const skill = workspace.mcpSkill("number");
  const tasks = workspace.tasks(2000);
  const bare = [node, workspace.program("bare-mcp.mjs"), workspace.program("mcp-server.mjs"), "2000"];
  return sideBySide(
    rounds,
    () => measure([...bare, String(lanes)]),
    () => measure(workspace.evalCommand(skill, tasks, "--concurrency", String(lanes))),
  );
}

function bareLoop({ program, python }, { loop, count, bareLanes }) {
  return [node, program(loop), python, program("echo.py"), String(count), String(bareLanes)];
}
