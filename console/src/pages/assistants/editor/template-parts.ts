import { placeholdersOf, type Placeholder } from '../../../../../src/modules/assistants/render-template.js';

interface TemplatePart extends Placeholder {
  /** What stands between the placeholder before and this one. */
  before: string;
}

/** A text as its placeholders, each with what stands before it, and the rest. */
export function partsOf(
  template: string,
  variables: Record<string, unknown>,
): { parts: TemplatePart[]; rest: string } {
  let end = 0;
  const parts = placeholdersOf(template, variables).map((placeholder) => {
    const before = template.slice(end, placeholder.index);
    end = placeholder.index + placeholder.text.length;
    return { ...placeholder, before };
  });
  return { parts, rest: template.slice(end) };
}
