/** A skill, and the file that says its id. */
interface NamedSkill {
  id: string;
  path: string;
}

export interface DuplicateId<Named> {
  skill: Named;
  /** Names both files. */
  message: string;
}

/** The skills whose id is that of one before them. Where they are not ranked, nobody can say which of the two is meant. */
export function duplicateIds<Named extends NamedSkill>(skills: readonly Named[]): DuplicateId<Named>[] {
  const first = new Map<string, Named>();
  return skills.flatMap((skill) => {
    const other = first.get(skill.id);
    if (other === undefined) first.set(skill.id, skill);
    const message = `duplicate skill id \`${skill.id}\` in ${other?.path} and ${skill.path}`;
    return other === undefined ? [] : [{ skill, message }];
  });
}
