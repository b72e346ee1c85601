/** The tools that every agent of ours has; no skill may call one of its own so. */
export const builtInTools = [
  "read_file",
  "list_dir",
  "grep",
  "run_script",
  "run_command",
  "write_file",
  "delete_file",
  "network_request",
] as const;
