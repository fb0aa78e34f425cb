import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { dump } from 'js-yaml';
import { serviceVersion } from '#src/config/version.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { ErrorsResponse } from '#src/http/message.response.js';
import {
  documentAliases,
  documentIdempotency,
  documentIgnoredFields,
  documentInvalidInput,
  documentOverloadResponses,
  documentScopes,
  documentUploads,
  removeQueryNulls,
  removeUpdateDefaults,
} from '#src/http/openapi-document.js';
import { SCOPE_MEANINGS, SCOPES } from '#src/http/scopes.js';

/** What holds for every field. */
const INPUT = `Unknown fields are ignored; those that clients of this family of services document, and that ask for
something, are named in the header \`X-Ignored-Fields\` of the response. Numbers may be written as text in decimal form
(\`"5"\`, \`"0.7"\`), booleans as \`1\`, \`0\`, \`"1"\`, \`"0"\`. An empty text for an optional field is null where null is
allowed, else as if the field were absent; for a field that creation requires it is an error. At creation null for an
optional field is as if absent. Updates accept unchanged values without validating them again.`;

/**
 * The OpenAPI document of the application. It is made for the first request, because most processes never show it, and
 * kept: `SwaggerModule.setup` renders the YAML at each request.
 */
@Injectable()
export class ApiDocumentService {
  private application: INestApplication | null = null;
  private created: OpenAPIObject | undefined;
  private jsonText: string | undefined;
  private yamlText: string | undefined;

  constructor(private readonly settings: RuntimeSettings) {}

  /** Nest does not inject the application; `SwaggerModule` reads the routes of all its modules. */
  setApplication(application: INestApplication): void {
    this.application = application;
  }

  document(): OpenAPIObject {
    return (this.created ??= this.create());
  }

  json(): string {
    return (this.jsonText ??= JSON.stringify(this.document()));
  }

  yaml(): string {
    return (this.yamlText ??= dump(this.document(), { skipInvalid: true, noRefs: true }));
  }

  private create(): OpenAPIObject {
    if (this.application === null) throw new Error('There is no application to describe');
    const { publicUrl, apiPrefix } = this.settings.http;
    const scopes = SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_MEANINGS[scope]}`).join('\n');
    const config = new DocumentBuilder()
      .setTitle('Voice Assistant Calling Service')
      .setDescription(
        [
          'AI voice assistants that place and receive phone calls. Every request carries `Authorization: Bearer <token>`.',
          `The token of an API key has scopes; each operation names the one that it needs:\n\n${scopes}`,
          INPUT,
        ].join('\n\n'),
      )
      .setVersion(serviceVersion())
      .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
      .addServer(publicUrl)
      .addBearerAuth({ type: 'http', scheme: 'bearer' })
      .build();
    const created = SwaggerModule.createDocument(this.application, config, { extraModels: [ErrorsResponse] });
    const described = documentUploads(documentInvalidInput(documentAliases(created, apiPrefix)));
    const document = removeQueryNulls(removeUpdateDefaults(described));
    return documentIgnoredFields(documentOverloadResponses(documentIdempotency(documentScopes(document))));
  }
}
