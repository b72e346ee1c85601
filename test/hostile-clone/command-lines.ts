/** A command line, tried in a hostile clone. */
export interface HostileLine {
  line: string;
  /** How it ends where no configuration is in its way: shows how far it gets. Several where the machine decides. */
  code: number | readonly number[];
  /** The folder below the clone it is typed in. */
  cwd?: string;
  /** A file of the home that the user changes with it. */
  changes?: string;
}

/** No skill runs in any of these: they must send nothing at all. */
export const quietLines: readonly HostileLine[] = [
  { line: "create --name made --from-template python_script", code: 0 },
  { line: "create --name opened --from-openapi openapi.yaml", code: 2 },
  { line: "eval --skills skills --tasks one.json --dry-run", code: 0 },
  { line: "eval --skills skills/thief --tasks scored.json --dry-run", code: 0 },
  { line: "test skills --changed=main --dry-run", code: 0 },
  { line: "test --dry-run", code: 2 },
  { line: "test skills --dry-run", code: 0 },
  { line: "test skills --level contract", code: 1 },
  { line: "test linked", code: 2 },
  { line: "eval --skills skills/thief --tasks outside-setup.json", code: 2 },
  { line: "eval --skills skills/thief --tasks serviced.json --dry-run", code: 0 },
  { line: "eval --skills asking --tasks one.json", code: 2 },
  { line: "eval --skills asking --tasks scored.json", code: 2 },
  { line: "eval --skills linked --tasks one.json", code: 2 },
  { line: "trigger .agent/skills/helper --judge router --threshold 0.9", code: 1 },
  { line: "trigger linked/imports --judge router", code: 2 },
  { line: "trigger calibrate --gold gold.jsonl --judge router --catalog .agent/skills", code: 0 },
  { line: "agent run hello --mock turns.json --skills .agent/skills --runs-dir runs", code: 0 },
  { line: "agent eval cases/plain.json", code: 0 },
  { line: "agent eval cases/absolute.json", code: 2 },
  { line: "agent eval cases/dots.json", code: 2 },
  { line: "agent eval cases/link.json", code: 2 },
  { line: "agent eval cases/installs.json", code: 2 },
  { line: "agent eval cases/roots.json", code: 2 },
  { line: "agent eval cases/case-file.json", code: 2 },
  { line: "agent eval cases/requests.json", code: 2 },
  { line: "agent eval document.json", code: 2 },
  { line: "planbench far-roots.yaml", code: 2 },
  { line: "eval --skills skills/thief --tasks outside-scorer.json", code: 2 },
  { line: "agent grade imported/* --case cases/plain.json", code: 2 },
  { line: "agent import --from openai transcript.json --skills .agent/skills", code: 0 },
  { line: "agent new-case --from-skill .agent/skills/helper --out drafts", code: 0 },
  { line: "agent replay nothing", code: 2 },
  { line: "planbench service.yaml", code: 2 },
  { line: "planbench bench.yaml --dry-run", code: 0 },
  { line: "find --query helper --skills-dir .agent/skills", code: 0 },
  { line: "find --skills-dir linked", code: 0 },
  { line: "route help --skills-dir .agent/skills --all", code: 0 },
  { line: "route help --skills-dir linked --all", code: 0 },
  { line: "catalog report .agent/skills", code: 0 },
  { line: "catalog diff .agent/skills --base .agent/skills", code: 0 },
  { line: "catalog diff .agent/skills --base main", code: 2 },
  { line: "catalog diff skills --base main", code: 0 },
  { line: "catalog diff . --base main", code: 2, cwd: "bare" },
  { line: "select --from skills --strategy strategy.yaml", code: 2 },
  { line: "run --query thief --tasks one.json --dry-run", code: 0 },
  { line: "history", code: 0 },
  { line: "telemetry query", code: 0 },
  { line: "store prune --before 2020-01-01", code: 0 },
  { line: "store export --keys verdicts.ndjson", code: [0, 2] }, // 2 where no store is there yet
  { line: "store import --keys none.ndjson", code: 2 },
  { line: "audit .", code: 1 },
  { line: "doctor skills .agent/skills linked", code: 1 },
  { line: "doctor", code: [0, 1] }, // 1 where bubblewrap is missing
  { line: "schema skill", code: 0 },
  { line: "completion bash", code: 0 },
  { line: "config list", code: 0 },
  { line: "config get llm.baseUrl", code: 0 },
  { line: "config set concurrency 3", code: 0, changes: ".eval-skills/config.yaml" },
  { line: "trust", code: 2 },
  { line: "trust --list", code: 0 },
  { line: "init --dir .", code: 0 },
  { line: "report show reports/agent-result.json", code: 0 },
  { line: "report convert --input reports/agent-result.json --format html --output page.html", code: 0 },
  { line: "report diff reports/agent-result.json reports/agent-result.json", code: 0 },
  { line: "report merge reports", code: 2 },
];

/** Commands that write, where the clone has links in the places they write to: each says which one. */
export const linkedLines: readonly (HostileLine & { link: string })[] = [
  { line: "eval --skills skills --tasks one.json", code: 2, link: "eval-skills.db" },
  { line: "eval --resume", code: 2, link: "eval-skills.db" },
  { line: "history", code: 2, link: "eval-skills.db" },
  { line: "select --from skills", code: 2, link: "eval-skills.db" },
  { line: "store prune --before 2020-01-01", code: 2, link: "eval-skills.db" },
  { line: "store import --keys none.ndjson", code: 2, link: "eval-skills.db" },
  { line: "history --store beside.db", code: 2, link: "beside.db-wal" },
  { line: "agent eval cases/plain.json --store a.db --output-dir o", code: 2, link: ".agent/runs" },
  { line: "agent run hello --mock turns.json --skills .agent/skills", code: 2, link: ".agent/runs" },
  { line: "agent import --from openai transcript.json", code: 2, link: ".agent/runs" },
  { line: "agent eval cases/plain.json --store a.db --runs-dir r", code: 2, link: "reports" },
  {
    line: "agent eval cases/plain.json --store a.db --runs-dir r --output-dir out",
    code: 2,
    link: "out/.eval.jsonl",
  },
  {
    line: "agent eval cases/plain.json --store a.db --output-dir o --runs-dir r --record recorded",
    code: 2,
    link: "recorded",
  },
  {
    line: "agent new-case --from-skill .agent/skills/helper --out made-skills",
    code: 2,
    link: "made-skills/helper_case/case.json",
  },
  { line: "telemetry serve --port 0", code: 2, link: ".eval-skills/telemetry.sqlite3" },
  { line: "test skills", code: 2, link: "eval-skills.db" },
  { line: "report merge blobs", code: 2, link: "eval-skills.db" },
  { line: "report merge blobs --store a.db", code: 2, link: "reports" },
  { line: "init --dir made-project", code: 2, link: "made-project" },
  { line: "doctor unfinished-skills --fix", code: 2, link: "unfinished-skills/unfinished" },
  {
    line: "report convert --input left.json --format markdown --output written.md",
    code: 2,
    link: "written.md",
  },
  { line: "report convert --input left.json --format markdown --output new.md", code: 2, link: "new.md" },
  {
    line: "create --name made --from-template python_script --output-dir made-skills",
    code: 2,
    link: "made-skills",
  },
];

/** Something of the clone runs in each of these. */
export const skillLines: readonly HostileLine[] = [
  { line: "eval --skills skills --tasks one.json", code: 0 },
  { line: "eval --skills skills/thief --tasks scored.json", code: 0 },
  { line: "eval --skills skills/thief --tasks serviced.json", code: 0 },
  { line: "test skills", code: 1 },
  { line: "test skills --shard 1/1 --output-dir blobs", code: 0 },
  { line: "task --skill skills/thief --input {} --contains ok", code: 0 },
  { line: "run --query thief --tasks one.json", code: 0 },
  { line: "agent eval cases/scripts.json skills/echoes", code: 0 },
  {
    line: "agent run hello --mock script-turns.json --enable-tool run_script --approve run_script:run",
    code: 0,
  },
  { line: "planbench bench.yaml", code: 0 },
  { line: "tool call skills/echoes echo --args {}", code: 0 },
  { line: "tool check echoes", code: 0 },
];
