import { EnumField, NumberField } from '#src/common/validation/fields.js';
import { ASSISTANT_DEFAULTS } from '../assistant-defaults.js';
import { AMBIENT_SOUNDS, ENDPOINT_TYPES, type AmbientSound, type EndpointType } from '../assistant.types.js';
import { AssistantBasicFields } from './basic-fields.dto.js';

export const ENDPOINT_SENSITIVITY =
  'Seconds of silence after which the customer has finished: a higher value gives slow speakers more room.';
export const INTERRUPT_SENSITIVITY =
  "Seconds of the customer's speech that it takes to interrupt: with a higher value the assistant is harder to " +
  'interrupt.';

/** When the customer has finished or interrupts, and what sounds under the speech. */
export class AssistantListeningFields extends AssistantBasicFields {
  @EnumField(ENDPOINT_TYPES, { required: false, default: ASSISTANT_DEFAULTS.endpointType })
  endpoint_type?: EndpointType;

  @NumberField({
    min: 0,
    max: 5,
    description: ENDPOINT_SENSITIVITY,
    required: false,
    default: ASSISTANT_DEFAULTS.endpointSensitivity,
  })
  endpoint_sensitivity?: number;

  @NumberField({
    min: 0,
    max: 5,
    description: INTERRUPT_SENSITIVITY,
    required: false,
    default: ASSISTANT_DEFAULTS.interruptSensitivity,
  })
  interrupt_sensitivity?: number;

  @EnumField(AMBIENT_SOUNDS, {
    description: 'Sound under the speech of the assistant.',
    required: false,
    default: ASSISTANT_DEFAULTS.ambientSound,
  })
  ambient_sound?: AmbientSound;

  @NumberField({ min: 0, max: 1, required: false, default: ASSISTANT_DEFAULTS.ambientSoundVolume })
  ambient_sound_volume?: number;
}
