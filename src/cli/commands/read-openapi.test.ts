import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";

const yaml = (server: string) => `
openapi: 3.0.3
info: { title: Weather, version: 1.0.0 }
servers:
  - url: ${server}/v1
paths:
  /forecast:
    post:
      operationId: forecast
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Place" }
      responses:
        200:
          description: What the weather will be
          content:
            application/json:
              schema: { type: object, properties: { sky: { type: string, nullable: true } }, required: [sky] }
    get:
      responses: {}
components:
  schemas:
    Place: { type: object, properties: { city: { type: string, example: Paris } }, required: [city] }
`;

async function openDescription(text = yaml("https://api.example.com"), name = "api.yaml") {
  const opened = await capturedCli();
  writeFileSync(join(opened.cwd, name), text);
  const create = (...more: string[]) => opened.run(["create", "--name", "weather", "--json", ...more]);
  return { ...opened, create, hasSkills: () => existsSync(join(opened.cwd, "skills")) };
}

test("a YAML file becomes a skill that eval takes, and that really calls the operation", async () => {
  const requests: unknown[] = [];
  await using server = await httpServer(async (request, response) => {
    requests.push([request.method, request.url, JSON.parse(await readBody(request))]);
    response.end('{"sky":"blue"}');
  });
  await using cli = await openDescription(yaml(server.url));

  const { document, exitCode } = await cli.create("--from-openapi", "./api.yaml");

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ id: "weather", path: "skills/weather" });
  expect(readdirSync(join(cli.cwd, "skills/weather"))).toEqual([
    "adapter.config.json",
    "skill.json",
    "tests",
  ]);
  const manifest = JSON.parse(readFileSync(join(cli.cwd, "skills/weather/skill.json"), "utf8"));
  expect(manifest).toMatchObject({
    entrypoint: `${server.url}/v1/forecast`,
    metadata: { openapi: { specPath: "../../api.yaml", operationId: "forecast", method: "POST" } },
    outputSchema: { properties: { sky: { type: ["string", "null"] } } },
  });
  const tasks = join(document.path, "tests/basic.eval.json");
  const host = ["--grant", `host:${new URL(server.url).host}`];
  const dryRun = ["eval", "--skills", document.path, "--tasks", tasks, "--dry-run", ...host];
  expect(await cli.run(dryRun)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^sends to 127.0.0.1:\d+ \(skill .*\)\n$/),
  });
  const input = JSON.stringify(JSON.parse(readFileSync(join(cli.cwd, tasks), "utf8")).tasks[0].inputData);
  const checked = ["task", "--skill", document.path, "--input", input, "--exact", '{"sky":"blue"}'];
  expect(await cli.run(checked)).toMatchObject({ exitCode: 2 }); // the bodies have the shape that a file chose
  expect(requests).toEqual([]);
  expect(await cli.run([...checked, ...host])).toMatchObject({ exitCode: 0 });
  expect(requests).toEqual([["POST", "/v1/forecast", { city: "Paris" }]]);
});

test("the file describes the skill where nobody typed a description, and its server comes first", async () => {
  await using cli = await openDescription();
  const described = () =>
    JSON.parse(readFileSync(join(cli.cwd, "skills/weather/skill.json"), "utf8")).description;

  const { stderr } = await cli.run(["create", "--name", "weather", "--from-openapi", "api.yaml"]);
  expect(described()).toBe("Weather");
  expect(stderr).toMatch(/^next: make sure https:\/\/api\.example\.com responds, then: eval-skills test /);

  await cli.create("--from-openapi", "api.yaml", "--description", "Looks at the sky", "--force");
  expect(described()).toBe("Looks at the sky");
});

test("a JSON file is read as JSON, whatever it is called", async () => {
  const text = JSON.stringify({
    openapi: "3.1.0",
    servers: [{ url: "http://localhost:1" }],
    paths: { "/x": { post: { requestBody: { content: { "application/json": {} } } } } },
  });
  for (const name of ["api.json", "api"]) {
    await using cli = await openDescription(text, name);
    expect(await cli.create("--from-openapi", name)).toMatchObject({ exitCode: 0 });
  }
});

test.each([
  ["a missing file", ["--from-openapi", "none.yaml"], "none.yaml does not exist"],
  ["an address", ["--from-openapi", "https://example.com/api.yaml"], "takes a file, not a URL"],
  [
    "an unknown operation",
    ["--from-openapi", "api.yaml", "--operation", "forcast"],
    "has no operation forcast",
  ],
  ["a GET", ["--from-openapi", "api.yaml", "--operation", "GET /forecast"], "it is a GET"],
  ["an operation without a file", ["--operation", "forecast"], "--operation requires --from-openapi"],
  [
    "another template",
    ["--from-openapi", "api.yaml", "--from-template", "python_script"],
    "creates an http skill",
  ],
])("%s is exit 2 and leaves nothing behind", async (_, args, message) => {
  await using cli = await openDescription();
  const { exitCode, document } = await cli.create(...args);
  expect(exitCode).toBe(2);
  expect(document.error).toMatchObject({ code: "usage", message: expect.stringContaining(message) });
  expect(cli.hasSkills()).toBe(false);
});

test("a file that is no YAML is exit 2 with the line", async () => {
  await using cli = await openDescription("openapi: [");
  const { document } = await cli.create("--from-openapi", "api.yaml");
  expect(document.error).toMatchObject({
    code: "usage",
    path: "api.yaml",
    message: expect.stringContaining("line "),
  });
});

test("an existing folder is kept as it is", async () => {
  await using cli = await openDescription();
  mkdirSync(join(cli.cwd, "skills/weather"), { recursive: true });
  expect((await cli.create("--from-openapi", "api.yaml")).exitCode).toBe(2);
  expect(readdirSync(join(cli.cwd, "skills/weather"))).toEqual([]);
});
