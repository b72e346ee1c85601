import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { findBenchmark } from "./find-benchmark.ts";

const task = { id: "t1", inputData: 1, expectedOutput: { value: 1 } };

function benchmark(id: string, changes: object = {}) {
  return { id, name: id, version: "1.0.0", tasks: [task], ...changes };
}

/** A project with these files; text is written as it is, everything else as JSON. */
async function project(files: Record<string, unknown>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  return {
    at: (name: string) => join(folder.path, name),
    find: (name: string, userDirs = ["./benchmarks"]) =>
      findBenchmark(name, { cwd: folder.path, bundledDir: join(folder.path, "bundled"), userDirs }),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test("a name with a separator is a path from the current folder", async () => {
  await using here = await project({ "own/mine.json": benchmark("other-id") });

  expect(await here.find("own/mine.json")).toEqual({ path: here.at("own/mine.json"), warnings: [] });
  expect((await here.find(here.at("own/mine.json"))).path).toBe(here.at("own/mine.json"));
});

test("a file that is not there is answered with the nearest that is; a folder in its place is called one", async () => {
  await using here = await project({ "own/mine.json": benchmark("x") });

  await expect(here.find("own/mien.json")).rejects.toThrow(
    expect.objectContaining({
      message: "benchmark file not found: own/mien.json",
      hint: "did you mean own/mine.json?",
    }),
  );
  await expect(here.find("none/mine.json")).rejects.toThrow(expect.objectContaining({ hint: null }));
  await expect(here.find("./own")).rejects.toThrow("./own is a folder, not a benchmark file");
});

test("a name that ends in .json is a path, even where an id has that name", async () => {
  await using here = await project({
    "mine.json": benchmark("x"),
    "benchmarks/a.json": benchmark("mine.json"),
  });

  expect((await here.find("mine.json")).path).toBe(here.at("mine.json"));
});

test.each(["own/none.json", "none.json", "./benchmarks"])(
  "a path %s without a file is not found",
  async (name) => {
    await using here = await project({ "benchmarks/a.json": benchmark("a") });

    await expect(here.find(name)).rejects.toThrow(
      expect.objectContaining({ code: "benchmark-not-found", path: name, exitCode: 2 }),
    );
  },
);

test("an id is matched with the id inside a file, not with its name", async () => {
  await using here = await project({ "benchmarks/file-name.json": benchmark("real-id") });

  expect((await here.find("real-id")).path).toBe(here.at("benchmarks/file-name.json"));
  await expect(here.find("file-name")).rejects.toThrow(
    expect.objectContaining({ code: "benchmark-not-found" }),
  );
});

test("a folder with a benchmark.json is found by the id inside", async () => {
  await using here = await project({ "benchmarks/math/benchmark.json": benchmark("math-1") });

  expect((await here.find("math-1")).path).toBe(here.at("benchmarks/math/benchmark.json"));
});

test("files deeper than that are not looked at", async () => {
  await using here = await project({
    "benchmarks/a/b/benchmark.json": benchmark("deep"),
    "benchmarks/a/other.json": benchmark("deep"),
  });

  await expect(here.find("deep")).rejects.toThrow("benchmark not found: deep");
});

test("a bundled benchmark is found from any folder", async () => {
  await using here = await project({ "bundled/coding-easy.json": benchmark("coding-easy") });

  expect(await here.find("coding-easy")).toEqual({ path: here.at("bundled/coding-easy.json"), warnings: [] });
});

test("a user's file with a bundled id wins, with a warning that names it", async () => {
  await using here = await project({
    "bundled/coding-easy.json": benchmark("coding-easy"),
    "benchmarks/mine.json": benchmark("coding-easy", { version: "2.0.0" }),
  });

  const { path, warnings } = await here.find("coding-easy");

  expect(path).toBe(here.at("benchmarks/mine.json"));
  expect(warnings).toEqual([expect.stringContaining(`${path} overrides the bundled benchmark`)]);
});

test("an identical file of the user wins without a warning, whatever its spaces and key order", async () => {
  const same = { tasks: [task], version: "1.0.0", name: "coding-easy", id: "coding-easy" };
  await using here = await project({
    "bundled/coding-easy.json": benchmark("coding-easy"),
    "benchmarks/copy.json": JSON.stringify(same, null, 4),
  });

  expect(await here.find("coding-easy")).toEqual({ path: here.at("benchmarks/copy.json"), warnings: [] });
});

test("an id in two files of the user is refused with both names", async () => {
  await using here = await project({
    "benchmarks/a.json": benchmark("mine"),
    "more/b.json": benchmark("mine"),
  });

  const find = here.find("mine", ["./benchmarks", "more"]);

  await expect(find).rejects.toThrow(
    expect.objectContaining({ code: "benchmark-invalid", jsonPath: "$.id" }),
  );
  await expect(find).rejects.toThrow(here.at("benchmarks/a.json"));
  await expect(find).rejects.toThrow(here.at("more/b.json"));
});

test("one file reached through two names of its folder is one file", async () => {
  await using here = await project({ "benchmarks/a.json": benchmark("mine") });
  symlinkSync(here.at("benchmarks"), here.at("link"));

  expect((await here.find("mine", ["./benchmarks", "benchmarks/", "link"])).path).toBe(
    here.at("benchmarks/a.json"),
  );
});

test("an unknown id lists the known ones, each once and sorted, and the nearest as a hint", async () => {
  await using here = await project({
    "bundled/coding-easy.json": benchmark("coding-easy"),
    "benchmarks/b.json": benchmark("b-mine"),
    "benchmarks/c.json": benchmark("coding-easy"),
  });

  await expect(here.find("coding-esay")).rejects.toThrow(
    expect.objectContaining({
      code: "benchmark-not-found",
      message: "benchmark not found: coding-esay; available: b-mine, coding-easy",
      hint: "did you mean coding-easy?",
    }),
  );
});

test("other JSON in the folder is none of our business, broken or not", async () => {
  await using here = await project({
    "benchmarks/a.json": benchmark("mine"),
    "benchmarks/broken.json": "{ not json",
    "benchmarks/list.json": [1, 2],
    "benchmarks/number.json": "7",
    "benchmarks/package.json": { id: "mine" },
    "benchmarks/readme.md": "# hi",
    "benchmarks/folder.json/x": "",
  });
  symlinkSync("/nowhere", here.at("benchmarks/dangling.json"));
  symlinkSync("loop.json", here.at("benchmarks/loop.json"));

  expect(await here.find("mine")).toEqual({ path: here.at("benchmarks/a.json"), warnings: [] });
});

test.each(["benchmarks/coding-easy.json", "benchmarks/coding-easy/benchmark.json"])(
  "a broken %s is reported, and the bundled one does not step in for it",
  async (file) => {
    await using here = await project({
      "bundled/coding-easy.json": benchmark("coding-easy"),
      [file]: '{ "id": "coding-easy", }',
    });

    await expect(here.find("coding-easy")).rejects.toThrow(
      expect.objectContaining({ code: "benchmark-invalid", path: here.at(file) }),
    );
  },
);

test("a folder of the user that is not there is no error", async () => {
  await using here = await project({ "bundled/a.json": benchmark("a") });

  expect((await here.find("a", ["nowhere", "bundled/a.json"])).path).toBe(here.at("bundled/a.json"));
});
