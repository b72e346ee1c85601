/** A text as YAML writes it, plain where every reader takes it for text, else in quotes. */
export function yamlText(text: string): string {
  return isPlainText(text) ? text : JSON.stringify(text);
}

/** Whether a plain scalar is text to every reader of YAML, old ones included, also inside brackets. */
export function isPlainText(text: string): boolean {
  if (!/^[A-Za-z][\w ./()*:@+-]*$/.test(text) || text.endsWith(" ")) return false;
  return !/:(?:\s|$)/.test(text) && !notText.test(text);
}

const notText = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
