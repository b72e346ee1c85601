// The bare loop beside `eval` with persistent processes: a line out, a line back, over as many pipes.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [python, program, count, pipes] = [
  process.argv[2],
  process.argv[3],
  Number(process.argv[4]),
  Number(process.argv[5]),
];
let next = 0;
async function lane() {
  const child = spawn(python, [program], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  while (next < count) {
    const n = next++;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: n, method: "invoke", params: { n } })}\n`);
    const { value } = await lines.next();
    if (JSON.parse(value).result.result !== n) throw new Error("wrong answer");
  }
  child.stdin.end();
  await new Promise((done) => child.on("exit", done));
}
await Promise.all(Array.from({ length: pipes }, lane));
