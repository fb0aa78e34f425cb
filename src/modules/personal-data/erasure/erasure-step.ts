import type { EntityManager } from 'typeorm';
import type { Person, PersonalDataCounts } from '#src/common/personal-data.js';

/** `none`: there is nothing to erase; `more`: a batch was erased; `waitsFor`: something has to end before. */
export type StepResult = 'none' | 'more' | { waitsFor: string };

/** A transaction whose counts the job gets with it, see `PersonalDataJobsRepository.addCounts`. */
export type Store = (work: (tx: EntityManager) => Promise<PersonalDataCounts>) => Promise<PersonalDataCounts>;

/** Who is erased. */
export interface ErasedPerson extends Person {
  /** When the erasure was requested. */
  requestedAt: Date;
}

/** A part of an erasure. What is erased is not found again, so that a repeated step goes on where it stopped. */
export interface ErasureStep {
  eraseBatch(person: ErasedPerson, store: Store): Promise<StepResult>;
}
