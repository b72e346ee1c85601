import { placeholderDescription } from "../contract/skill-facts.ts";
import { UserError } from "../shared/user-error.ts";
import type { NewSkill } from "./shared-files.ts";

export interface NewSkillRequest {
  name: string;
  description?: string | undefined;
  fromTemplate: string;
}

/** Makes the id of a new skill out of its name, and refuses names and descriptions that no skill can have. */
export function nameSkill(request: NewSkillRequest): NewSkill {
  const name = request.name.trim();
  if (/[/\\]|\.\./.test(name))
    throw new UserError("usage", `--name ${JSON.stringify(name)} must not contain path separators or ".."`, {
      hint: "use --output-dir for the parent folder",
    });
  if (/\p{Cc}|\p{Cs}/u.test(name))
    throw new UserError("usage", `--name ${JSON.stringify(name)} must not contain control characters`);
  const id = request.fromTemplate === "agent_skill" ? kebabCase(name) : underscored(name);
  if (!/[a-z0-9]/.test(id))
    throw new UserError(
      "usage",
      `--name ${JSON.stringify(name)} has no letters or digits to build an id from`,
      {
        hint: "use a-z, 0-9, _ and -",
      },
    );
  if (id.length > 64) throw new UserError("usage", "--name is longer than 64 characters");
  if (request.fromTemplate === "prompt_tools" && !/^[a-z0-9]./.test(id))
    throw new UserError(
      "usage",
      `--name ${JSON.stringify(name)} gives the id ${id}, which is invalid for prompt_tools`,
      {
        hint: "use at least two characters, starting with a letter or digit",
      },
    );
  return { id, name, description: describeSkill(name, request.description) };
}

function underscored(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9_-]/gu, "_");
}

function kebabCase(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/g, "");
}

function describeSkill(name: string, typed: string | undefined): string {
  const description = (typed ?? placeholderDescription(name)).trim();
  if (description === "") throw new UserError("usage", "--description is empty");
  if ([...description].length > 1024)
    throw new UserError("usage", "--description is longer than 1024 characters");
  if (/\p{Cs}|[^\P{Cc}\n\t]/u.test(description))
    throw new UserError(
      "usage",
      "--description must not contain control characters other than newline and tab",
    );
  return description;
}
