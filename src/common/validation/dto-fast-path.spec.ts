import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { PartialType } from '@nestjs/swagger';
import { plainToInstance, Type } from 'class-transformer';
import { IsDateString, validate, ValidateIf } from 'class-validator';
import { DayField, EnumListField, TimezoneField } from './text-fields.js';
import { DtoFastPath } from './dto-fast-path.js';
import { BooleanField, EnumField, IdField, NumberField, TextField, UrlField } from './fields.js';
import { FreeObjectField, IdListField, ListField, NestedField, VariablesField } from './object-fields.js';
import { UpdateType } from './update-type.js';

class ItemDto {
  @TextField({ min: 2, max: 5 })
  name: string;

  @FreeObjectField({ required: false })
  variables?: Record<string, unknown>;
}

class EverythingDto {
  @TextField({ max: 10 })
  name: string;

  @IdField()
  id: number;

  @NumberField({ min: 0, max: 1, required: false })
  share?: number;

  @BooleanField({ required: false })
  on?: boolean;

  @EnumField(['a', 'b'], { required: false })
  kind?: string;

  @EnumListField(['a', 'b'], { required: false })
  kinds?: string[];

  @UrlField({ required: false, nullable: true })
  url?: string | null;

  @DayField({ required: false })
  day?: string;

  @TimezoneField({ required: false })
  timezone?: string;

  @IdListField({ required: false })
  ids?: number[];

  @FreeObjectField({ required: false })
  variables?: Record<string, unknown>;

  @VariablesField({ required: false })
  merged?: Record<string, unknown>;

  @NestedField(() => ItemDto, { required: false })
  item?: ItemDto;

  @ListField(() => ItemDto, { required: false, max: 2 })
  items?: ItemDto[];

  perPage = 15;
}

class ChangedDto extends PartialType(EverythingDto, { skipNullProperties: false }) {}
class UpdateDto extends UpdateType(EverythingDto) {}

const WHOLE = {
  name: 'Ada',
  id: '5',
  share: '0.5',
  on: 1,
  kind: 'a',
  kinds: ['b', 'a'],
  url: 'https://example.com/x',
  day: '2026-01-31',
  timezone: 'Europe/Berlin',
  ids: ['1', 2],
  variables: { constructor: 1, toString: { deep: [null] } },
  merged: [{ a: 1, b: 1 }, { a: 2 }],
  item: { name: 'abc', variables: { a: 1 }, unknown: true },
  items: [{ name: 'ab' }, { name: 'cd' }],
  unknown: 1,
};

const without = (field: string): object =>
  Object.fromEntries(Object.entries(WHOLE).filter(([name]) => name !== field));

const WRONG = [undefined, null, '', ' ', 'no-such-value', -1, 1e20, true, [], {}, [null], ['a', 'a'], [{}]];
const BODIES: object[] = [
  WHOLE,
  {},
  { name: 'Ada', id: 5 },
  ...Object.keys(WHOLE).map(without),
  ...Object.keys(WHOLE).flatMap((field) => WRONG.map((value) => ({ ...WHOLE, [field]: value }))),
  { ...WHOLE, items: [{ name: 'ab' }, { name: 'too long' }] },
  { ...WHOLE, items: [{ name: 'ab' }, { name: 'ab' }, { name: 'ab' }] },
  { ...WHOLE, item: [{ name: 'abc' }] },
];

/** What the libraries make of it; null when they find it wrong. */
async function byLibraries(dto: new () => object, body: object): Promise<object | null> {
  const object = plainToInstance(dto, body, { excludeExtraneousValues: true, exposeUnsetFields: false });
  const errors = await validate(object, { stopAtFirstError: true, forbidUnknownValues: false });
  return errors.length === 0 ? object : null;
}

describe('DtoFastPath', () => {
  describe.each([EverythingDto, ChangedDto, UpdateDto])('of %p', (dto) => {
    it.each(BODIES.map((body) => ({ body })))('reads $body as the libraries do', async ({ body }) => {
      const read = DtoFastPath.of(dto)?.read(body as Record<string, unknown>);
      expect(read).toEqual(await byLibraries(dto, body));
      if (read) expect(read).toBeInstanceOf(dto);
    });
  });

  it('creates nested objects of their class, and keeps defaults', () => {
    const read = DtoFastPath.of(EverythingDto)?.read(WHOLE) as EverythingDto;
    expect(read.item).toBeInstanceOf(ItemDto);
    expect(read.items?.every((item) => item instanceof ItemDto)).toBe(true);
    expect(read.perPage).toBe(15);
    expect(read.variables).toBe(WHOLE.variables);
  });

  it('reads null as absent, except in an update, which refuses it', () => {
    const nulls = { ...WHOLE, share: null, kind: '', variables: null };
    const read = DtoFastPath.of(EverythingDto)?.read(nulls) as EverythingDto;
    expect([read.share, read.kind, read.variables]).toEqual([undefined, undefined, undefined]);
    expect(read.merged).toEqual({ a: 2, b: 1 });
    expect(DtoFastPath.of(UpdateDto)?.read({ share: null })).toBeNull();
    expect(DtoFastPath.of(UpdateDto)?.read({ share: '', url: '' })).toEqual({ url: null, perPage: 15 });
  });

  it('uses the libraries for a list in a list', () => {
    expect(DtoFastPath.of(EverythingDto)?.read({ ...WHOLE, items: [[{ name: 'ab' }]] })).toBeNull();
  });

  it('uses the libraries for classes with unknown decorators', () => {
    class GroupedDto {
      @IsDateString({}, { groups: ['late'] })
      @TextField()
      day: string;
    }
    class DatedDto {
      @Type(() => Date)
      @TextField()
      day: string;
    }
    class BareDto {
      @ValidateIf(() => true)
      day: string;
    }
    expect([GroupedDto, DatedDto, BareDto, Object].map((dto) => DtoFastPath.of(dto))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
