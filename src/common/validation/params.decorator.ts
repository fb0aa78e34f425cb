import { Body as PlainBody, Query as PlainQuery } from '@nestjs/common';
import { ApiValidationPipe } from './api-validation.pipe.js';

const pipe = new ApiValidationPipe();

/**
 * The body as the parameter's DTO class, validated. The pipe stands at the parameter and is not global: Nest would pass
 * every parameter of every handler through it, with eight promises each.
 *
 * @throws Invalid
 */
export const Body = (): ParameterDecorator => PlainBody(pipe);

/** The query as the parameter's DTO class, validated. @throws Invalid */
export const Query = (): ParameterDecorator => PlainQuery(pipe);
