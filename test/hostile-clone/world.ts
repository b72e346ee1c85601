import { lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

/** Secrets under the names that machines of developers have. None may be sent anywhere, or be in a file that a command writes. */
export const secrets: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: "canary-openai-7f3a9b21c4d8",
  ANTHROPIC_API_KEY: "canary-anthropic-51e07d33aa90",
  GEMINI_API_KEY: "canary-gemini-c90fe1b7024d",
  GITHUB_TOKEN: "canary-github-3b8871fd60ce",
  NPM_TOKEN: "canary-npm-e2d45f9018ba",
  AWS_SECRET_ACCESS_KEY: "canary-aws-90b1f44e7ad2",
  OPENWEATHER_KEY: "canary-weather-1c7d2f86b35e",
  LANGSMITH_API_KEY: "canary-langsmith-aa41d07c93fe",
};

/** The key that the user configured, with the address it is for. */
export const ownKey = "canary-own-model-4d19c6e8a370";
/** What files outside the clone hold. */
export const fileCanary = "canary-file-68b2e5d10f97";

/** What the user's git keeps in the clone, where a token was in its address or a CI server checked it out. */
export const gitCanary = "canary-file-of-git-0c5e7b92d1a6";

/** What the runner itself writes for its user, and nothing in a repository may change. */
const ownFiles = ["containment.json"];

/** A folder with a home, a clone, and things beside the clone that are none of its business. */
export async function hostileWorld() {
  const folder = await temporaryFolder();
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const [home, clone, outside, temp] = [at("home"), at("clone"), at("outside"), at("temp")];
  const listener = await openListener();
  const collector = await openListener();
  const ownModel = await openListener();
  for (const dir of [home, clone, outside, temp]) await mkdir(dir);
  await mkdir(join(home, ".eval-skills"), { mode: 0o700 });
  await put(join(home, ".ssh/id_ed25519"), fileCanary);
  await put(join(home, ".npmrc"), `//registry.example/:_authToken=${fileCanary}`);
  await put(join(outside, "secret.txt"), `${fileCanary}\n`);
  await put(
    join(outside, "notes/SKILL.md"),
    `---\nname: notes\ndescription: ${fileCanary}\n---\n${fileCanary}\n`,
  );
  await put(join(outside, "empty/readme.txt"), "nothing\n");
  await put(join(outside, "unfinished/SKILL.md"), "A skill without a description.\n");
  await put(
    join(home, ".eval-skills/config.yaml"),
    `llm: { baseUrl: "${ownModel.url}/v1", apiKeyEnv: OWN_MODEL_KEY, retries: 0 }\n`,
    0o600,
  );
  return {
    home,
    clone,
    outside,
    temp,
    /** Where skills, models and services of the clone's author are. */
    listener,
    /** Where telemetry, spans and git would go. */
    collector,
    /** That of the user. */
    ownModel,
    /** Where programs of the clone leave a line when they run uncontained. */
    marker: join(outside, "ran"),
    env: { HOME: home, OWN_MODEL_KEY: ownKey, ...secrets },
    /** Everything that is not the clone's, home and temporary files included: path → what is there. */
    outsideFiles: () =>
      snapshot(folder.path, [clone, ...ownFiles.map((name) => join(home, ".eval-skills", name))]),
    async [Symbol.asyncDispose]() {
      for (const one of [listener, collector, ownModel]) await one[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export type HostileWorld = Awaited<ReturnType<typeof hostileWorld>>;

export async function put(path: string, text: string | Buffer, mode = 0o644): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text, { mode });
}

/** Every spelling of a secret that a thief would try. */
export function spellings(secret: string): string[] {
  return [
    secret,
    [...secret].reverse().join(""),
    ...(["base64", "hex"] as const).map((encoding) => Buffer.from(secret).toString(encoding)),
  ];
}

/** Which of these secrets a text holds, in any spelling. */
export function secretsIn(text: string, candidates: readonly string[]): string[] {
  return candidates.filter((secret) => spellings(secret).some((spelling) => text.includes(spelling)));
}

/** Records every byte anybody sends, and answers whatever a model, a skill or a collector would. */
async function openListener() {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const reply = JSON.stringify({
    result: "ok",
    choices: [{ message: { role: "assistant", content: "DECISION=NO REASON=No." }, finish_reason: "stop" }],
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    const place = received.push("") - 1;
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      received[place] += chunk.toString("latin1");
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${reply.length}`;
      socket.end(`${head}\r\n\r\n${reply}`);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** One text for each connection that was ever made, empty where nothing came over it. */
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** What is below a folder, by path: kind, mode, and what it holds. */
async function snapshot(root: string, except: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = async (path: string): Promise<void> => {
    if (except.includes(path)) return;
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) found[path] = `link to ${await readlink(path)}`;
    else if (stats.isDirectory()) {
      found[path] = `folder ${stats.mode.toString(8)}`;
      for (const name of await readdir(path)) await visit(join(path, name));
    } else found[path] = `${stats.mode.toString(8)} ${await readFile(path, "latin1")}`;
  };
  await visit(root);
  return found;
}

/** The text of every file below a folder, by path; links are not followed. */
export async function filesBelow(root: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path): Promise<[path: string, text: string]> => [path, await readOrNothing(path)]),
  );
}

/** A database takes its helper files away a moment after it was closed. */
async function readOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
