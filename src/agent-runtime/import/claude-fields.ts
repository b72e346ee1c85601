/** Members of the lines of Claude Code, by what they are about. Any other that holds a list or a map could hide a call. */
const names = (text: string): string[] => text.split(/\s+/);

/** What every line may have beside its message: where it stands, and in what. */
const ofLines = names(
  `type subtype uuid parentUuid logicalParentUuid session_id sessionId parent_tool_use_id isSidechain agentId userType cwd version
   gitBranch slug timestamp requestId isMeta isCompactSummary isVisibleInTranscriptOnly isApiErrorMessage error teamName
   entrypoint promptId permissionMode`,
);
export const replyFields: ReadonlySet<string> = new Set([
  ...ofLines,
  "message",
  "attributionSkill",
  "attributionPlugin",
]);
export const userFields: ReadonlySet<string> = new Set([
  ...ofLines,
  ...names(
    `message toolUseResult tool_use_result tool_result_meta sourceToolUseID sourceToolAssistantUUID thinkingMetadata todos
     imagePasteIds isReplay isSynthetic origin mcpMeta priority`,
  ),
]);
export const resultFields: ReadonlySet<string> = new Set([
  ...ofLines,
  ...names(
    `is_error duration_ms duration_api_ms num_turns result total_cost_usd usage modelUsage permission_denials structured_output
     errors stop_reason fast_mode_state`,
  ),
]);
export const messageFields: ReadonlySet<string> = new Set(
  names(
    `id type role model content stop_reason stop_sequence stop_details usage container context_management diagnostics`,
  ),
);
export const blockFields: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(names("type text citations cache_control")),
  tool_use: new Set(names("type id name input caller cache_control")),
  tool_result: new Set(names("type tool_use_id content is_error cache_control")),
};

/** Blocks of a reply or of what the user sends that are no call, result or text. */
export const silentBlocks: ReadonlySet<string> = new Set([
  "thinking",
  "redacted_thinking",
  "image",
  "document",
  "fallback",
]);

/** Lines that say nothing about what was done. */
export const silentLines: ReadonlySet<string> = new Set(
  names(
    `progress file-history-snapshot queue-operation summary custom-title ai-title agent-name agent-color agent-setting last-prompt
     permission-mode mode pr-link tag worktree-state attachment rate_limit_event tool_progress tool_use_summary auth_status
     keep_alive prompt_suggestion control_cancel_request`,
  ),
);
