import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import { BooleanField, EnumField, IdField, IntegerField, TextField } from '#src/common/validation/fields.js';
import { ASSISTANT_TYPES, type AssistantType } from '../assistant.types.js';

export const NAME_LIMITS = { max: 255 };
export const REENGAGEMENT_SECONDS = { min: 7, max: 600 };
export const CALL_SECONDS = { min: 20, max: 1200 };

const sameAs = (setting: string) => ({
  required: false,
  description: `The same as \`${setting}\`, as answers name and write it.`,
});

/** Names of settings in responses, which requests may use too: `RESPONSE_NAMES` has their settings. */
export class AssistantResponseNames {
  @TextField({ ...NAME_LIMITS, ...sameAs('assistant_name') })
  name?: string;

  @IdField(sameAs('language'))
  language_id?: number;

  @IdField(sameAs('llm_model'))
  llm_model_id?: number;

  @IdField({ ...sameAs('llm_model'), nullable: true })
  multimodal_model_id?: number | null;

  @EnumField(ASSISTANT_TYPES, sameAs('calls_direction'))
  type?: AssistantType;

  @EnumField(ASSISTANT_MODES, sameAs('engine_type'))
  mode?: AssistantMode;

  @BooleanField(sameAs('filler_audios'))
  fillers?: boolean;

  @IntegerField({ ...REENGAGEMENT_SECONDS, ...sameAs('re_engagement_interval') })
  reengagement_interval?: number;

  @IntegerField({ ...CALL_SECONDS, ...sameAs('max_call_duration') })
  max_duration?: number;

  @BooleanField(sameAs('noise_cancellation'))
  enable_noise_cancellation?: boolean;

  @BooleanField(sameAs('record_call'))
  record?: boolean;

  @BooleanField(sameAs('who_speaks_first'))
  wait_for_customer?: boolean;
}
