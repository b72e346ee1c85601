import { caseFunctions, takeWord } from "./completion-cases.ts";
import type { CommandWords } from "./completion-words.ts";

/** The completion script for zsh: sourced, or saved as `_eval-skills` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CommandWords[]): string {
  return `#compdef eval-skills
# Completion of eval-skills for zsh. Load it with: source <(eval-skills completion zsh)
${caseFunctions(commands, (words) =>
  words.map(({ word, description }) => `${word}:${plain(description)}`).join("\n"),
)}

_eval_skills() {
  local current="\${words[CURRENT]}" place="" option="" word takes values
  local -i index
  local -a found
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
${takeWord("-*=*")}
  done
  if [[ $current == -* ]]; then
    found=("\${(@f)$(_eval_skills_options "$place")}")
    _describe -o option found
    return
  elif [[ -n $option ]]; then
    _eval_skills_values "$place" "$option"
  else
    values="$(_eval_skills_words "$place")"
  fi
  case "$values" in
    "") return 1 ;;
    @files) _files ;;
    @folders) _files -/ ;;
    *:*) found=("\${(@f)values}"); _describe command found || _files ;;
    *) compadd -- \${(s: :)values} || _files ;;
  esac
}

if [[ "\${funcstack[1]}" == "_eval_skills" || "\${funcstack[1]}" == "_eval-skills" ]]; then
  _eval_skills "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _eval_skills eval-skills
fi
`;
}

/** A colon would end the word that is described. */
function plain(description: string): string {
  return description.replaceAll(":", " -").replaceAll("\n", " ");
}
