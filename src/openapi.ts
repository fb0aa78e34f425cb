import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import {
  documentIdempotency,
  documentRefusals,
  withoutUpdateDefaults,
} from './common/http/openapi-document.js';
import type { RuntimeSettings } from './config/runtime-settings.js';

export function openApiDocument(
  app: INestApplication,
  { http }: Pick<RuntimeSettings, 'http'>,
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Voice Assistant Calling Service')
    .setDescription(
      'AI voice assistants that place and receive phone calls. Every request carries `Authorization: Bearer <token>`.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(http.publicUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer' })
    .build();
  const document = withoutUpdateDefaults(SwaggerModule.createDocument(app, config));
  return documentRefusals(documentIdempotency(document));
}
