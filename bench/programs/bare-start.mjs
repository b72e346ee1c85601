// The bare start beside that of `eval`: load the HTTP client and SQLite, open a store, send one request.
import { createRequire } from "node:module";
import { Pool } from "undici";

const [origin, path] = process.argv.slice(2);
const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite");
const store = new DatabaseSync(path);
store.exec("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS cells (id TEXT)");
const pool = new Pool(origin);
const { body } = await pool.request({
  path: "/invoke",
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ skillId: "bench", version: "1.0.0", input: { n: 0 } }),
});
await body.text();
await pool.close();
store.close();
