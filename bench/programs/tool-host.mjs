// Calls a tool of a skill in hosts that stay, beside a line out and a line back to a Python loop that only echoes, and prints
// milliseconds for as many calls: of the processor, both sides of the pipe together, for a target of so many per second of one
// core means nothing on a core that is shared.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openToolHosts } from "../../src/adapters/tool-hosts.ts";
import { processTree, readProcessFile } from "../../src/sandbox/host/process-tree.ts";
import { openSandbox } from "../../src/sandbox/open-sandbox.ts";

const count = Number(process.argv[2] ?? 2000);
const rounds = Number(process.argv[3] ?? 5);
const { signal } = new AbortController();

const dir = mkdtempSync(join(tmpdir(), "bench-tool-"));
mkdirSync(join(dir, "scripts"));
writeFileSync(
  join(dir, "scripts/word_count.py"),
  "def word_count(doc_text, n):\n    return {'n': n, 'words': len(doc_text.split())}\n",
);
const tool = {
  skill: { id: "bench", dir, digest: "sha256:0" },
  name: "word_count",
  script: "scripts/word_count.py",
  parameters: {
    type: "object",
    properties: { doc_text: { type: "string" }, n: { type: "integer" } },
    required: ["doc_text", "n"],
    additionalProperties: false,
  },
  timeoutMs: null,
};
const document = { text: "how many words are there in this line", path: null };

const sandbox = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });
const around = { sandbox, env: process.env, envKeys: [], maxOutputBytes: 5_242_880 };
const hosts = openToolHosts({ mode: "persistent", ...around });
const { python } = await hosts.prepare([tool]);

async function ours(n) {
  const outcome = await hosts.call({ tool, arguments: { n }, document }, { deadlineMs: 30_000, signal });
  if (outcome.output?.n !== n || outcome.output.words !== 8) throw new Error(JSON.stringify(outcome));
}

const echo = spawn(python, [fileURLToPath(new URL("./echo.py", import.meta.url))], {
  stdio: ["pipe", "pipe", "ignore"],
});
const lines = createInterface({ input: echo.stdout })[Symbol.asyncIterator]();
async function bare(n) {
  echo.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: n, method: "invoke", params: { n } })}\n`);
  const { value } = await lines.next();
  if (JSON.parse(value).result.result !== n) throw new Error(value);
}

const times = { bare: [], ours: [] };
for (let round = -1; round < rounds; round++) {
  const took = { bare: await timed(bare), ours: await timed(ours) };
  if (round < 0) continue; // until both have started and the engine has compiled what runs often
  times.bare.push(took.bare);
  times.ours.push(took.ours);
}
console.log(JSON.stringify({ bare: figures(times.bare), ours: figures(times.ours) }));
echo.stdin.end();
await hosts[Symbol.asyncDispose]();
await sandbox[Symbol.asyncDispose]();
rmSync(dir, { recursive: true });

async function timed(call) {
  const from = processorMs();
  for (let n = 0; n < count; n++) await call(n);
  return processorMs() - from;
}

/** What we and all we started have used of the processor, children that are gone included; where that is not told, the clock. */
function processorMs() {
  const tree = processTree(process.pid);
  if (tree.length === 0) return performance.now();
  const ticks = tree.flatMap((pid) => {
    const told = readProcessFile(`/proc/${pid}/stat`) ?? ""; // it may just have ended
    return told
      .replace(/^.*\) /s, "")
      .split(" ")
      .slice(11, 15)
      .map(Number);
  });
  return 10 * ticks.reduce((sum, value) => sum + value, 0);
}

function figures(values) {
  const sorted = values.sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], best: sorted[0] };
}
