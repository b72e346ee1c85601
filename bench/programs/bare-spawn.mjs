// The bare loop beside `eval` with a process per call: spawn, write, read, wait for the exit.
import { spawn } from "node:child_process";

const [python, program, count, concurrency] = [
  process.argv[2],
  process.argv[3],
  Number(process.argv[4]),
  Number(process.argv[5]),
];
let next = 0;
async function lane() {
  while (next < count) {
    const n = next++;
    const child = spawn(python, [program], { stdio: ["pipe", "pipe", "ignore"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: n, method: "invoke", params: { n } })}\n`);
    await new Promise((done) => child.on("close", done));
    if (JSON.parse(text).result.result !== n) throw new Error("wrong answer");
  }
}
await Promise.all(Array.from({ length: concurrency }, lane));
