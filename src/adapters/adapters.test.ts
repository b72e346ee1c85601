import { httpServer, type LocalServer, readBody } from "../../test/local-server.ts";
import { openSkill, type SkillOptions } from "../../test/open-skill.ts";
import type { Adapter } from "../contract/outcome.ts";
import { adapterContract } from "./adapter.contract.ts";
import { httpAdapter } from "./http.ts";

for (const lifecycle of ["per-call", "persistent"] as const) {
  let running = 0;
  const open = async (program: string, options: SkillOptions = {}) => {
    const skill = await openSkill(program, [], { lifecycle, ...options, onStart: countRunning });
    return skill;
  };
  const countRunning = (exited: Promise<unknown>) => {
    running++;
    void exited.then(() => running--);
  };
  adapterContract(`subprocess, ${lifecycle}`, {
    echo: () => open("echo.py"),
    broken: () => open("dies-at-start.sh"),
    slow: () => open("forever.sh"),
    leftovers: () => running,
  });
}

const servers: LocalServer[] = [];

async function httpSkill(answer: Parameters<typeof httpServer>[0]): Promise<Adapter> {
  const server = await httpServer(answer);
  servers.push(server);
  const adapter = httpAdapter({
    target: { origin: server.url, path: "/", headers: { "content-type": "application/json" } },
    buildBody: (input) => input,
    maxOutputBytes: 5_242_880,
    concurrency: 8,
  });
  return {
    call: adapter.call,
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

adapterContract("http", {
  echo: () => httpSkill((request, response) => void readBody(request).then((body) => response.end(body))),
  broken: () => httpSkill((request) => request.socket.destroy()),
  slow: () => httpSkill(() => {}),
  leftovers: () => servers.reduce((sum, { connections }) => sum + connections.open, 0),
});
