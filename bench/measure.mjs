// Measuring: whole processes, from start to exit, side by side in one run.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/** Runs a program to its end: how long it took, its own processor time, and how much memory it had at most. */
export async function measure(argv, { cwd, env } = {}) {
  const began = performance.now();
  const child = spawn(argv[0], argv.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors = (errors + chunk).slice(-4000);
  });
  let peakKb = 0;
  let cpuMs = 0;
  // What it did after the last look is missing, which is little of a run of seconds.
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakOf(child.pid));
    cpuMs = Math.max(cpuMs, cpuOf(child.pid));
  }, 20);
  const code = await new Promise((done) => child.on("exit", done));
  const wallMs = performance.now() - began;
  clearInterval(watch);
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}\n${errors}`);
  return { wallMs, cpuMs, peakMb: peakKb / 1024 };
}

/** Processor time of a process without its children; the kernel counts it in hundredths of a second. */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Runs a program that sends a request to a server here, and says how long it took until the first arrived. */
export async function untilFirstRequest(makeArgv) {
  let arrivedAt = null;
  const server = createServer((request, response) => {
    arrivedAt ??= performance.now();
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => response.end(JSON.stringify({ result: JSON.parse(text).input.n })));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const argv = makeArgv(`http://127.0.0.1:${server.address().port}`);
    const began = performance.now();
    await measure(argv);
    return { wallMs: arrivedAt - began, peakMb: 0 };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Takes turns, so that a busy moment of the machine hits both; the median of the turns counts. */
export async function sideBySide(rounds, runBare, runOurs) {
  const times = { bare: [], ours: [] };
  let peakMb = 0;
  for (let round = 0; round < rounds; round++) {
    times.bare.push((await runBare()).wallMs);
    const own = await runOurs();
    times.ours.push(own.wallMs);
    peakMb = Math.max(peakMb, own.peakMb);
  }
  return { bare: median(times.bare), ours: median(times.ours), peakMb };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Starts a server program that prints its port, and hands over its origin. */
export async function startServer(path, env) {
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
    child.once("exit", () => reject(new Error(`${path} did not start`)));
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
