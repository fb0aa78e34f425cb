import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** One element of an answer document: a verb, or a noun inside one. */
export interface Verb {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Verb[];
}

const ATTRIBUTES = ':@';
const TEXT = '#text';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  // Numeric entities too: renderers write line breaks inside attributes as `&#xA;`.
  htmlEntities: true,
  ignoreDeclaration: true,
});

type XmlNode = Record<string, unknown>;

/** The verbs of a `<Response>`, in order; null for another document. */
export function parseTwiml(xml: string): Verb[] | null {
  if (XMLValidator.validate(xml) !== true) return null;
  const roots = parser.parse(xml) as XmlNode[];
  const response = roots.map(toVerb).find((root) => root.name === 'Response');
  return response?.children ?? null;
}

export function childrenNamed(verb: Verb, name: string): Verb[] {
  return verb.children.filter((child) => child.name === name);
}

function toVerb(node: XmlNode): Verb {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? '';
  const inside = Array.isArray(node[name]) ? (node[name] as XmlNode[]) : [];
  const texts = inside.filter((child) => TEXT in child).map((child) => String(child[TEXT]));
  return {
    name,
    attributes: (node[ATTRIBUTES] ?? {}) as Record<string, string>,
    text: texts.join(' ').trim(),
    children: inside.filter((child) => !(TEXT in child)).map(toVerb),
  };
}
