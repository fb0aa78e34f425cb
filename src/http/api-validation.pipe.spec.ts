import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { ArgumentMetadata } from '@nestjs/common';
import { Invalid } from '#src/common/errors/api-error.js';
import { ApiValidationPipe } from './api-validation.pipe.js';
import { EnumField, IdField, NumberField, TextField, UrlField } from '#src/common/validation/fields.js';
import {
  FreeObjectField,
  ListField,
  NestedField,
  VariablesField,
} from '#src/common/validation/object-fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';

class ItemDto {
  @TextField({ min: 2, max: 5 })
  name: string;

  @FreeObjectField({ required: false })
  variables?: Record<string, unknown>;
}

class CreateDto {
  @TextField({ max: 10 })
  name: string;

  @IdField()
  id: number;

  @NumberField({ min: 0, max: 1, required: false })
  share?: number;

  @EnumField(['a', 'b'], { required: false })
  kind?: string;

  @UrlField({ required: false, nullable: true })
  url?: string | null;

  @FreeObjectField({ required: false })
  variables?: Record<string, unknown>;

  @VariablesField({ required: false })
  merged?: Record<string, unknown>;

  @NestedField(() => ItemDto, { required: false })
  item?: ItemDto;

  @ListField(() => ItemDto, { required: false, max: 2 })
  items?: ItemDto[];
}

class NamedDto {
  @EnumField(['start', 'stop'], { otherNames: ['status', 'state'] })
  action?: string;

  @EnumField(['start', 'stop'], { required: false })
  status?: string;

  @EnumField(['start', 'stop'], { required: false, nullable: true })
  state?: string | null;
}

class UpdateNamedDto extends UpdateType(NamedDto) {}

class UpdateDto extends UpdateType(CreateDto) {}

class ListDto {
  @NumberField({ min: 1, max: 100, required: false })
  per_page: number = 15;
}

const WHOLE = {
  name: 'Ada',
  id: '5',
  share: '0.5',
  kind: 'a',
  url: 'https://example.com/x',
  variables: { constructor: 1, toString: { deep: [null] } },
  merged: [{ a: 1, b: 1 }, { a: 2 }],
  item: { name: 'abc', variables: { a: 1 }, unknown: true },
  items: [{ name: 'ab' }, { name: 'cd' }],
  unknown: 1,
};

const pipe = new ApiValidationPipe();
const read = (metatype: ArgumentMetadata['metatype'], value: object) =>
  pipe.transform(value, { type: 'body', metatype }) as Promise<Record<string, unknown>>;
const errorsOf = (metatype: ArgumentMetadata['metatype'], value: object) =>
  read(metatype, value).then(
    () => null,
    (error: unknown) => (error instanceof Invalid ? Object.keys(error.errors) : error),
  );

describe('ApiValidationPipe', () => {
  it('reads the declared fields, nested ones as objects of their class', async () => {
    const dto = await read(CreateDto, WHOLE);
    expect(dto).toBeInstanceOf(CreateDto);
    expect(dto).toEqual({
      name: 'Ada',
      id: 5,
      share: 0.5,
      kind: 'a',
      url: WHOLE.url,
      variables: WHOLE.variables,
      merged: { a: 2, b: 1 },
      item: { name: 'abc', variables: { a: 1 } },
      items: [{ name: 'ab' }, { name: 'cd' }],
    });
    expect(dto['variables']).toBe(WHOLE.variables);
    expect(dto['item']).toBeInstanceOf(ItemDto);
  });

  it('keeps defaults', async () => {
    expect(await read(ListDto, {})).toEqual({ per_page: 15 });
  });

  it('reads null as absent, except in an update, which refuses it where it is no value', async () => {
    expect(await read(CreateDto, { name: 'Ada', id: 5, share: null, kind: '', url: '' })).toEqual({
      name: 'Ada',
      id: 5,
      url: null,
    });
    expect(await read(UpdateDto, { share: '', url: null })).toEqual({ url: null });
    expect(await errorsOf(UpdateDto, { name: null, share: null, kind: null })).toEqual([
      'name',
      'share',
      'kind',
    ]);
  });

  it('requires nothing of an update, and refuses an empty text where creation requires the field', async () => {
    expect(await read(UpdateDto, {})).toEqual({});
    expect(await errorsOf(CreateDto, {})).toEqual(['name', 'id']);
    expect(await errorsOf(UpdateDto, { name: '', id: '' })).toEqual(['name', 'id']);
    for (const name of [' ', '\u200B\u2060', '\u202E\n'])
      expect(await errorsOf(CreateDto, { ...WHOLE, name })).toEqual(['name']);
    expect(await read(UpdateDto, { name: '👨‍👩‍👧' })).toEqual({ name: '👨‍👩‍👧' });
  });

  it.each(['', ' \t', null, undefined])(
    'treats %j of a field as absent when another name has a value',
    async (action) => {
      for (const dto of [NamedDto, UpdateNamedDto])
        for (const other of ['status', 'state'])
          expect(await read(dto, { action, [other]: 'stop' })).toEqual({ [other]: 'stop' });
      for (const others of [{}, { status: '' }, { state: null }, { status: '', state: '' }])
        expect(await errorsOf(NamedDto, { action, ...others })).toEqual(['action']);
    },
  );

  it('refuses wrong values of a field beside another name, and an update without a value', async () => {
    expect(await errorsOf(NamedDto, { action: 'go', status: 'stop' })).toEqual(['action']);
    expect(await errorsOf(NamedDto, { action: 0, status: 'stop' })).toEqual(['action']);
    expect(await errorsOf(NamedDto, { action: '', status: 'go' })).toEqual(['status']);
    for (const action of ['', null]) expect(await errorsOf(UpdateNamedDto, { action })).toEqual(['action']);
  });

  it.each([
    ['items.1.name', { items: [{ name: 'ab' }, { name: 'too long' }] }],
    ['items', { items: [{ name: 'ab' }, { name: 'ab' }, { name: 'ab' }] }],
    ['items', { items: Array.from({ length: 1_001 }, () => ({})) }],
    ['item', { item: [{ name: 'abc' }] }],
    ['items', { items: [[]] }],
    ['items', { items: [[[]]] }],
  ])('names %s where it breaks a rule', async (path, fields) => {
    expect(await errorsOf(CreateDto, { ...WHOLE, ...fields })).toEqual([path]);
    expect(await errorsOf(UpdateDto, fields)).toEqual([path]);
  });

  it.each(['param', 'query', 'custom'] as const)('leaves a single %s unchanged', async (type) => {
    expect(await pipe.transform('0x1', { type, metatype: Number, data: 'id' })).toBe('0x1');
  });
});
