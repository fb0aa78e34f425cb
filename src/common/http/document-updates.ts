import type { OpenAPIObject } from '@nestjs/swagger';

/** An update keeps what it does not name: a client that filled in the defaults of creation would reset it. */
export function withoutUpdateDefaults(document: OpenAPIObject): OpenAPIObject {
  for (const { put } of Object.values(document.paths)) {
    const content = put?.requestBody && 'content' in put.requestBody ? put.requestBody.content : {};
    const schema = content['application/json']?.schema;
    if (!schema || !('$ref' in schema)) continue;
    const body = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    if (!body || !('properties' in body)) continue;
    for (const property of Object.values(body.properties ?? {}))
      if ('default' in property) delete property.default;
  }
  return document;
}
