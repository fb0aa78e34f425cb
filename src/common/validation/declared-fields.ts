import { plainToInstance } from 'class-transformer';

export type DtoClass = new () => object;

/** Names of the fields of a DTO class. */
export const declaredFields = (dto: DtoClass): string[] =>
  Object.keys(plainToInstance(dto, {}, { excludeExtraneousValues: true }));
