import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Assistants20261126000812 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE assistants (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        type text NOT NULL CHECK (type IN ('inbound', 'outbound')),
        mode text NOT NULL CHECK (mode IN ('pipeline', 'multimodal')),
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
        phone_number_id int REFERENCES phone_numbers ON DELETE SET NULL,
        voice_id int NOT NULL REFERENCES voices,
        language_id int NOT NULL REFERENCES languages,
        llm_model_id int NOT NULL REFERENCES language_models,
        timezone text NOT NULL,
        initial_message text NOT NULL,
        system_prompt text NOT NULL,
        variables jsonb NOT NULL,
        post_call_evaluation boolean NOT NULL,
        post_call_schema jsonb NOT NULL,
        end_call_description text,
        is_webhook_active boolean NOT NULL,
        webhook_url text,
        inbound_webhook_url text,
        send_webhook_only_on_completed boolean NOT NULL,
        include_recording_in_webhook boolean NOT NULL,
        llm_temperature float8 NOT NULL,
        voice_stability float8 NOT NULL,
        voice_similarity float8 NOT NULL,
        speech_speed float8 NOT NULL,
        allow_interruptions boolean NOT NULL,
        filler_audios boolean NOT NULL,
        filler_config jsonb NOT NULL,
        record_call boolean NOT NULL,
        noise_cancellation boolean NOT NULL,
        wait_for_customer boolean NOT NULL,
        max_call_duration int NOT NULL,
        max_silence_duration int NOT NULL,
        reengagement_interval int NOT NULL,
        end_call_on_voicemail boolean NOT NULL,
        endpoint_type text NOT NULL CHECK (endpoint_type IN ('vad', 'ai')),
        endpoint_sensitivity float8 NOT NULL,
        interrupt_sensitivity float8 NOT NULL,
        use_min_interrupt_words boolean NOT NULL,
        min_interrupt_words int NOT NULL,
        ambient_sound text NOT NULL,
        ambient_sound_volume float8 NOT NULL,
        widget_settings jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        written_fillers jsonb,
        reengagement_prompt text,
        max_initial_silence_duration int,
        ringing_time int,
        llm_fallback_model_id int REFERENCES language_models,
        voice_mail_message text,
        transfer_numbers jsonb NOT NULL DEFAULT '[]',
        synthesizer_provider_id int,
        transcriber_provider_id int,
        conversation_ended_webhook_url text,
        caller_id_lookup text NOT NULL DEFAULT 'always' CHECK (caller_id_lookup IN ('always', 'attested', 'never')),
        conversation_inactivity_timeout int NOT NULL DEFAULT 10,
        built_in_tools jsonb NOT NULL DEFAULT '[]',
        folder_id int REFERENCES assistant_groups ON DELETE SET NULL
      );
      CREATE INDEX assistants_account ON assistants (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX assistants_folder ON assistants (folder_id) WHERE folder_id IS NOT NULL;
      CREATE UNIQUE INDEX assistants_inbound_number ON assistants (phone_number_id)
        WHERE type = 'inbound' AND deleted_at IS NULL;

      CREATE TABLE assistant_labels (
        assistant_id int NOT NULL REFERENCES assistants ON DELETE CASCADE,
        label_id int NOT NULL REFERENCES assistant_groups ON DELETE CASCADE,
        PRIMARY KEY (assistant_id, label_id)
      );
      CREATE INDEX assistant_labels_label ON assistant_labels (label_id);

      CREATE TABLE assistant_tools (
        assistant_id int NOT NULL REFERENCES assistants ON DELETE CASCADE,
        tool_id int NOT NULL REFERENCES tools ON DELETE CASCADE,
        PRIMARY KEY (assistant_id, tool_id)
      );
      CREATE INDEX assistant_tools_tool ON assistant_tools (tool_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE assistant_tools, assistant_labels, assistants CASCADE;
    `);
  }
}
