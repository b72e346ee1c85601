import { caseFunctions, takeWord } from "./completion-cases.ts";
import type { CommandWords } from "./completion-words.ts";

/** The completion script for bash, from version 3.2 on. */
export function bashCompletion(commands: readonly CommandWords[]): string {
  return `# Completion of eval-skills for bash. Load it with: source <(eval-skills completion bash)
${caseFunctions(commands, (words) => words.map(({ word }) => word).join(" "))}

_eval_skills() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" option="" word index takes values
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
${takeWord('"="')}
  done
  [[ $current == "=" ]] && current=""
  if [[ $current == -* ]]; then
    values="$(_eval_skills_options "$place")"
  elif [[ -n $option ]]; then
    _eval_skills_values "$place" "$option"
  else
    values="$(_eval_skills_words "$place")"
  fi
  local IFS=$'\\n'
  case "$values" in
    @files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
    @folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
    *) COMPREPLY=($(IFS=" "; compgen -W "$values" -- "$current")) ;;
  esac
}

complete -o default -F _eval_skills eval-skills
`;
}
