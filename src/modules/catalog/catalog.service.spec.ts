import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { CatalogService } from './catalog.service.js';
import { LanguageModelEntry } from './entities/catalog.entities.js';

const model = (id: number, name: string) => ({
  id,
  name,
  mode: 'pipeline',
  endpoint: null,
  retiresOn: null,
  replacedById: null,
  warning: null,
});

/** A database whose models can change and whose look-ups can fail. */
class FakeDatabase {
  models = [model(1, 'first')];
  looks = 0;
  broken = false;

  readonly manager = {
    find: async (entity: unknown): Promise<object[]> => {
      if (entity !== LanguageModelEntry) return [];
      this.looks++;
      if (this.broken) throw new Error('no connection');
      return this.models;
    },
  };
}

describe('CatalogService', () => {
  let database: FakeDatabase;
  let service: CatalogService;

  beforeEach(() => {
    jest.useFakeTimers();
    database = new FakeDatabase();
    service = new CatalogService(database as unknown as DataSource);
  });

  afterEach(() => void jest.useRealTimers());

  it('queries once for concurrent callers, and reads changes after 30 seconds', async () => {
    await Promise.all([service.models('llm'), service.models('llm'), service.languages()]);
    expect(database.looks).toBe(1);
    database.models = [model(2, 'second')];
    jest.advanceTimersByTime(29_000);
    expect(await service.models('llm')).toEqual([{ id: 1, name: 'first' }]);
    jest.advanceTimersByTime(1_000);
    expect(await service.models('llm')).toEqual([{ id: 2, name: 'second' }]);
  });

  it('queries again after a failure', async () => {
    database.broken = true;
    await expect(service.models('llm')).rejects.toThrow('no connection');
    database.broken = false;
    expect(await service.models('llm')).toEqual([{ id: 1, name: 'first' }]);
  });
});
