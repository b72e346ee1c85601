import { reportFormats } from "../../contract/format.ts";

/** Where `init` leaves the JSON Schema of the configuration: an editor completes and checks it there, without the network. */
export const configSchemaPath = ".eval-skills/config.schema.json";

/** The configuration a new project starts with: every key with its default, as comments. */
export const initialConfig = `# yaml-language-server: $schema=./${configSchemaPath}
# eval-skills.config.yaml: uncomment a key to change its default
# concurrency: 4
# timeoutMs: 30000
# outputDir: ./reports
# defaultFormats: [json, markdown]   # ${reportFormats.join(" ")}
# store: ./eval-skills.db
# python: null                       # the Python of a virtual environment for skills and tools; only in ~/.eval-skills/config.yaml or by flag
# skills:
#   roots: [.agent/skills, .agents/skills, .claude/skills]   # skill folders of the project, highest priority first
# llm:                               # used by llm_judge and by bare model ids; baseUrl: any OpenAI-compatible chat endpoint
#   model: gpt-4o
#   temperature: 0
#   baseUrl: https://api.openai.com/v1   # another address in this file needs a grant: eval-skills trust
#   apiKeyEnv: null                  # variable holding the key; null: the first set of EVAL_SKILLS_LLM_KEY, OPENAI_API_KEY, OPENAI_KEY; false: none
#   timeoutMs: 60000
#   retries: 3
#   concurrency: null              # at most this many calls at once, over all models; null: --concurrency decides
# models: {}                         # per provider, e.g. anthropic: { apiKeyEnv: MY_KEY }, lab: { baseUrl: http://localhost:8000/v1, apiKeyEnv: LAB_KEY, concurrency: 2 }
# prices: {}                         # per model id, USD, e.g. openai/gpt-4o: { inputPerMTok: 2.5, outputPerMTok: 10 }
# gates: []                          # what must be reached, the first match decides, e.g. - { skill: "legacy-*", minCompletion: 0.6, on: point }
# quarantine: []                     # run and shown, decide nothing, e.g. - { case: "weather/flaky-*", until: 2027-01-31, reason: "provider outage" }
# owners: []                         # shown beside what failed, e.g. - { skill: "pdf-*", owner: "@docs-team" }
# sandbox:
#   floor: null                      # null | reduced | strict: minimum containment; without one the strongest available is used
#   network: null                    # null | none | open; null: open, or none if strict containment is required; open only in ~/.eval-skills/config.yaml or by flag
#   allowNetwork: []                 # allow only these hosts, each host[:port]; only in ~/.eval-skills/config.yaml or by flag
#   memoryMb: null                   # resident memory of the process tree; null: the default of the sandbox level
#   maxOutputBytes: 5242880          # per answer: stdout of one call, HTTP body, MCP message
#   killGraceMs: 300                 # SIGTERM to SIGKILL
#   envKeys: []                      # environment variables passed to every skill; each needs a grant: eval-skills trust
# agent:                             # defaults; constraints of a case take precedence
#   max_turns: 12
#   max_tool_calls: 30
#   max_script_runs: 6
#   max_resource_loads: null
#   max_model_calls: null            # null: 3 × max_turns
#   max_context_chars: 400000
#   max_cost_usd: null
#   timeout_ms: 120000
#   max_skills_per_select: 2
#   max_consecutive_failures: 3
#   no_progress_window: 4
#   max_skill_body_lines: 500
#   max_skill_body_chars: 40000
#   resource_suffixes: [.md, .txt, .json, .yaml, .yml, .csv]
#   interpreters: { .py: python3, .js: node, .mjs: node, .cjs: node, .sh: bash }
#   allowed_tools_policy: report     # report | restrict
#   fallback_model: null             # used when calls to the model keep failing
# prompt:
#   perSkillChars: 4000
#   totalChars: 12000
# router:
#   cjk: bigrams                     # bigrams | segment
#   embedding: null                  # null | local | { han: {provider, model, dim}, other: {provider, model, dim} }
#   min_score: 0.20
#   k: 4
# telemetry:                         # environment variables take precedence
#   mode: local                      # local | remote | both | off
#   sqlitePath: ./.eval-skills/telemetry.sqlite3
#   retentionDays: 7
#   flushIntervalMs: 1000
#   batchSize: 200
#   remoteEndpoint: null
#   tokenEnv: null                   # variable holding the token; null: EVAL_SKILLS_TELEMETRY_TOKEN and its aliases
#   otlp: { enabled: false, endpoint: null, content: false }
`;
