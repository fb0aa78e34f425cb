import { XMLParser } from 'fast-xml-parser';
import type { Attributes } from './scripted-line.js';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  ignoreDeclaration: true,
});

/** The attributes of an answer document by `Element.attribute`; an element without attributes has an entry of its own. */
export function answerAttributes(document: string): Attributes {
  const found = new Map<string, string>();
  collect('Response', (parser.parse(document) as { Response: unknown }).Response, found);
  return found;
}

function collect(name: string, content: unknown, into: Map<string, string>): void {
  if (typeof content !== 'object' || content === null) {
    into.set(name, '');
    return;
  }
  for (const [key, value] of Object.entries(content)) {
    if (key.startsWith('@')) into.set(`${name}.${key.slice(1)}`, String(value));
    else for (const one of Array.isArray(value) ? value : [value]) collect(key, one, into);
  }
}
