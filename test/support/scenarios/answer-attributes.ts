import { XMLParser } from 'fast-xml-parser';
import type { Attributes } from './customer-line.js';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  ignoreDeclaration: true,
});

/**
 * The attributes of an answer document by `Element.attribute`; an element with a text, or without attributes, has an
 * entry of its own, which is the text.
 * Those of the second and later elements of a name stand under `Element+.attribute`, with spaces between them.
 */
export function answerAttributes(document: string): Attributes {
  const found = new Map<string, string>();
  collect('Response', (parser.parse(document) as { Response: unknown }).Response, found);
  return found;
}

function collect(name: string, content: unknown, into: Map<string, string>): void {
  if (typeof content !== 'object' || content === null) {
    into.set(name, String(content ?? ''));
    return;
  }
  for (const [key, value] of Object.entries(content)) {
    if (key === '#text') into.set(name, String(value));
    else if (key.startsWith('@')) into.set(`${name}.${key.slice(1)}`, String(value));
    else if (Array.isArray(value)) collectList(key, value, into);
    else collect(key, value, into);
  }
}

function collectList(name: string, [first, ...others]: unknown[], into: Map<string, string>): void {
  collect(name, first, into);
  for (const other of others) {
    const own = new Map<string, string>();
    collect(`${name}+`, other, own);
    for (const [key, value] of own) into.set(key, [into.get(key), value].filter(Boolean).join(' '));
  }
}
