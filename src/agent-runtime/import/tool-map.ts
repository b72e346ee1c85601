import type { CallableTool } from "../../contract/agent-tools.ts";

/**
 * What a tool of another agent does: the same as one of ours; runs command lines; chooses a skill; starts an agent whose turns are
 * in the trace too; applies a patch; or nothing that a case could ask about.
 */
type ToolMeaning = CallableTool | "shell" | "skill" | "agent" | "patch" | "nothing";
export type ToolMap = Readonly<Record<string, ToolMeaning>>;

/** Names that agents of many kinds use, for formats that are of no agent in particular. */
export const commonTools: ToolMap = {
  skill: "skill",
  load_skill: "skill",
  use_skill: "skill",
  activate_skill: "skill",
  read: "read_file",
  read_file: "read_file",
  ls: "list_dir",
  glob: "list_dir",
  list_dir: "list_dir",
  list_directory: "list_dir",
  grep: "grep",
  write: "write_file",
  edit: "write_file",
  multiedit: "write_file",
  notebookedit: "write_file",
  write_file: "write_file",
  delete_file: "delete_file",
  apply_patch: "patch",
  webfetch: "network_request",
  websearch: "network_request",
  web_fetch: "network_request",
  web_search: "network_request",
  network_request: "network_request",
  bash: "shell",
  shell: "shell",
  shell_command: "shell",
  local_shell: "shell",
  "container.exec": "shell",
  exec_command: "shell",
  execute_command: "shell",
  run_shell_command: "shell",
  run_terminal_cmd: "shell",
  write_stdin: "shell",
};
