// The bare loop beside `eval` over HTTP: the same POSTs over the same kind of pool, and nothing else.
import { Pool } from "undici";

const [origin, count, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
let next = 0;
async function lane() {
  while (next < count) {
    const n = next++;
    const { body } = await pool.request({
      path: "/invoke",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ skillId: "bench", version: "1.0.0", input: { n } }),
    });
    const { result } = JSON.parse(await body.text());
    if (result !== n) throw new Error("wrong answer");
  }
}
await Promise.all(Array.from({ length: concurrency }, lane));
await pool.close();
