import { Invalid, NotFound, type FieldErrors } from '#src/common/errors/api-error.js';
import { fieldMessage, selectedInvalidMessage } from '#src/common/validation/field-rules.js';

export class LeadNotFound extends NotFound {
  constructor() {
    super('Lead not found');
  }
}

/** The campaign is not the user's; other errors are listed with it. */
export const invalidCampaign = (errors: FieldErrors = {}): Invalid =>
  new Invalid({ ...errors, campaign_id: [selectedInvalidMessage('campaign_id')] });

/** The campaign already has a lead with this number. */
export class DuplicateLead extends Invalid {
  constructor() {
    super({ phone_number: ['The phone number already exists in this campaign.'] });
  }
}

export const REPEATED_NUMBER = 'must differ from the main lead and from the other contacts';

/** The error of a contact's or a lead's `phone_number`. */
export const numberMessage = (rule: string): string => fieldMessage('phone_number', rule);
