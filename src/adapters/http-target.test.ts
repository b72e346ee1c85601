import { describe, expect, test } from "vitest";
import { sampleSkill } from "../../test/sample-cell.ts";
import { HttpConfig } from "../contract/unit-skill.ts";
import { UserError } from "../shared/user-error.ts";
import { type HttpTarget, httpTarget } from "./http-target.ts";

function target(
  entrypoint: string,
  config: Record<string, unknown> = {},
  env: NodeJS.ProcessEnv = {},
): HttpTarget {
  const parsed = HttpConfig.parse({ type: "http", ...config });
  const skill = sampleSkill({
    id: "my_skill",
    dir: "/skills/my",
    manifest: "/skills/my/skill.json",
    adapter: { type: "http", entrypoint, config: parsed },
  });
  return httpTarget(skill, parsed, env, "1.2.3");
}

function refusal(...args: Parameters<typeof target>): UserError {
  try {
    target(...args);
  } catch (error) {
    if (error instanceof UserError) return error;
  }
  throw new Error("it was not refused");
}

describe("the address", () => {
  const table: [string, string, string | undefined, string][] = [
    ["an absolute URL", "https://host:8443/a/b?c=d", undefined, "https://host:8443/a/b?c=d"],
    ["an absolute URL without path", "http://host", undefined, "http://host/"],
    ["a path below a base", "/invoke", "https://host/api", "https://host/api/invoke"],
    ["a base that ends in a slash", "/invoke", "https://host/api/", "https://host/api/invoke"],
    ["a path without a slash", "invoke", "https://host/api", "https://host/api/invoke"],
    [
      "the path of an absolute URL",
      "http://elsewhere/v1/invoke?x=1",
      "https://host",
      "https://host/v1/invoke?x=1",
    ],
    ["a query of the path", "/invoke?a=b&c", "https://host", "https://host/invoke?a=b&c"],
    [
      "a path that looks like another host",
      "//evil.example/x",
      "https://host",
      "https://host//evil.example/x",
    ],
    ["a path that climbs", "/../../x", "https://host/api", "https://host/x"],
    ["a name with a colon", "a:b", "https://host", "https://host/a:b"],
    ["an IPv6 address", "http://[::1]:80/x", undefined, "http://[::1]/x"],
  ];
  for (const [what, entrypoint, baseUrl, url] of table) {
    test(`of ${what} is ${url}`, () => {
      const { origin, path } = target(entrypoint, baseUrl === undefined ? {} : { baseUrl });
      expect(`${origin}${path}`).toBe(url);
    });
  }

  test("that is not an absolute http URL is refused, with its place", () => {
    for (const entrypoint of ["/invoke", "invoke", "file:///etc/passwd", "ftp://host/x", "http://", ""]) {
      expect(refusal(entrypoint)).toMatchObject({
        code: "adapter-invalid",
        path: "/skills/my/skill.json",
        jsonPath: "$.entrypoint",
      });
    }
    expect(refusal("/invoke", { baseUrl: "host/api" })).toMatchObject({
      path: "/skills/my/adapter.config.json",
      jsonPath: "$.baseUrl",
    });
  });

  test("with a user part is refused, and the user part is not printed", () => {
    for (const error of [
      refusal("https://me:canary-pass@host/x"),
      refusal("/x", { baseUrl: "https://canary-token@host" }),
    ]) {
      expect(error.code).toBe("adapter-invalid");
      expect(JSON.stringify([error.message, error.hint, error.path, error.stack])).not.toContain("canary");
    }
  });
});

describe("the token", () => {
  const bearer = { authType: "bearer", authTokenEnvKey: "MY_TOKEN" };

  test("that is missing is named by its variable", () => {
    for (const env of [{}, { MY_TOKEN: "" }]) {
      const error = refusal("http://host", bearer, env);
      expect(error).toMatchObject({
        code: "secret-missing",
        exitCode: 2,
        path: "/skills/my/adapter.config.json",
      });
      expect(error.message).toContain("MY_TOKEN");
    }
  });

  test("needs the name of a variable", () => {
    expect(refusal("http://host", { authType: "api-key" })).toMatchObject({
      code: "adapter-invalid",
      message: expect.stringContaining("authTokenEnvKey"),
    });
  });

  test("that no header can carry is refused, and not printed", () => {
    for (const token of ["canary\r\nx: y", "canary\n", "canary\0", "canary東京"]) {
      const error = refusal("http://host", bearer, { MY_TOKEN: token });
      expect(error.code).toBe("adapter-invalid");
      expect(`${error.message}${error.hint}`).not.toContain("canary");
    }
  });

  test("is not read where nothing asks for it", () => {
    const { headers } = target("http://host", { authTokenEnvKey: "MY_TOKEN" }, { MY_TOKEN: "canary-token" });
    expect(JSON.stringify(headers)).not.toContain("canary");
  });

  test("goes into a header that is one", () => {
    const config = { authType: "api-key", authTokenEnvKey: "MY_TOKEN", authHeader: "X Key:" };
    expect(refusal("http://host", config, { MY_TOKEN: "token-123" })).toMatchObject({
      code: "adapter-invalid",
      jsonPath: "$.authHeader",
    });
  });
});
