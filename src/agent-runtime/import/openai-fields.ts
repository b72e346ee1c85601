/** Members of what OpenAI and its likes write. Any other that holds a list or a map could hide a call. */
const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const messageFields = names(
  `role content tool_calls function_call tool_call_id name refusal annotations audio id type status phase reasoning reasoning_content
   reasoning_details thinking_blocks provider_specific_fields logprobs metadata timestamp created_at`,
);
export const callFields = names("id type function custom index");
export const itemFields = names(
  `type id call_id name namespace arguments input action status output summary content encrypted_content server_label error
   approval_request_id results queries code container_id outputs max_output_length operation created_by environment result
   pending_safety_checks acknowledged_safety_checks tools revised_prompt role`,
);
/** What holds messages: requests, replies, records of conversations. */
export const holderFields = names(
  `request messages input choices output response traj trajectory conversation model tools usage id object created created_at
   metadata info task_id trial reward system_fingerprint service_tier tool_choice temperature top_p instructions reasoning text
   prompt prompt_cache_key response_format truncation parallel_tool_calls stream stream_options include store user functions
   incomplete_details error completed_at status prompt_filter_results safety_identifier stop stop_sequences logit_bias
   billing output_text`,
);
/** Content that is no call. */
export const silentParts = names(
  `text input_text output_text refusal input_image image_url input_audio input_file file audio summary_text reasoning_text thinking
   reasoning`,
);
