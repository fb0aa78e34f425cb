import { EnumField } from '#src/common/validation/fields.js';

/** The query of event streams. */
export class WatchEventsDto {
  @EnumField(['now'], {
    required: false,
    description:
      '`now`: without `Last-Event-ID` the stream begins behind the newest event, and says so with an event `position`, whose id can be resumed behind; its data is empty.',
  })
  from?: 'now';
}
