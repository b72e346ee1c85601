/** Each entry takes the store one version up. An entry that has been released is never changed. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'done')),
    plan TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    tool_version TEXT NOT NULL,
    owner TEXT
  );
  CREATE INDEX runs_by_end ON runs (state, finished_at, started_at);
  CREATE TABLE cells_started (
    run_id TEXT NOT NULL REFERENCES runs (id),
    cell_key TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    PRIMARY KEY (run_id, cell_key, attempt)
  ) WITHOUT ROWID;
  CREATE TABLE results (
    run_id TEXT NOT NULL REFERENCES runs (id),
    cell_key TEXT NOT NULL,
    level TEXT NOT NULL,
    suite TEXT NOT NULL,
    subject TEXT NOT NULL,
    position INTEGER NOT NULL,
    case_id TEXT NOT NULL,
    trial INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pass', 'fail', 'error', 'timeout', 'invalid')),
    score REAL,
    latency_ms REAL NOT NULL,
    data TEXT NOT NULL,
    finished_at TEXT NOT NULL,
    PRIMARY KEY (run_id, cell_key)
  );
  CREATE INDEX results_in_order ON results (run_id, level, suite, subject, position);
  CREATE INDEX results_invalid ON results (run_id) WHERE status = 'invalid';
  CREATE TABLE reports (
    run_id TEXT NOT NULL REFERENCES runs (id),
    level TEXT NOT NULL,
    suite TEXT NOT NULL,
    subject TEXT NOT NULL,
    data TEXT NOT NULL,
    finished_at TEXT NOT NULL,
    PRIMARY KEY (run_id, level, suite, subject)
  );
  CREATE TABLE routing_vectors (
    model TEXT NOT NULL,
    dim INTEGER NOT NULL,
    digest TEXT NOT NULL,
    vector BLOB NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (model, dim, digest)
  );
  CREATE INDEX routing_vectors_by_use ON routing_vectors (used_at);
  CREATE TABLE routing_floors (
    model TEXT NOT NULL,
    dim INTEGER NOT NULL,
    catalog TEXT NOT NULL,
    probes TEXT NOT NULL,
    script TEXT NOT NULL,
    lo REAL NOT NULL,
    sigma REAL NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (model, dim, catalog, probes, script)
  );
  CREATE TABLE judge_replies (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    reply TEXT NOT NULL,
    used_at TEXT NOT NULL
  );
  CREATE INDEX judge_replies_by_use ON judge_replies (used_at);
  CREATE TABLE judge_calibrations (
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    calibration TEXT NOT NULL,
    calibrated_at TEXT NOT NULL,
    PRIMARY KEY (kind, model, prompt)
  );
  `,
];

/** Marks a file as ours, so that no other program's database is ever changed by mistake. */
export const applicationId = 0x65766b32; // "evk2"

/** Stores of versions before reports had one shape. They cannot be brought up: what they hold of a cell is less than is needed now. */
export const earlierApplicationId = 0x65766b31; // "evk1"

/** The backups of a store, one per earlier version, written when it is migrated. */
export function storeBackups(path: string): string[] {
  return migrations.slice(1).map((_, at) => backupPath(path, at + 1));
}

/** The backup of a store of this version. */
export function backupPath(path: string, version: number): string {
  return `${path}.v${version}.bak`;
}
