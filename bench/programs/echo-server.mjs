// An HTTP skill that answers what it was asked. `delayMs` makes it slow; `places` makes it refuse what is beyond.
import { createServer } from "node:http";

const delayMs = Number(process.env.DELAY_MS ?? 0);
const places = Number(process.env.PLACES ?? Number.POSITIVE_INFINITY);
let busy = 0;

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (busy >= places) return response.writeHead(429).end("{}");
    busy++;
    const answer = () => {
      busy--;
      const { input } = JSON.parse(Buffer.concat(chunks).toString());
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ result: input.n }));
    };
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
