import { Invalid, VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';

/** Violations by concurrent requests, which only the database detects. */
const FIELD_OF: Record<string, string> = {
  assistants_inbound_number: 'phone_number_id',
  assistants_phone_number_id_fkey: 'phone_number_id',
  assistants_folder_id_fkey: 'folder_id',
  assistants_knowledgebase_id_fkey: 'knowledgebase_id',
  assistant_tools_tool_id_fkey: 'tool_ids',
  assistant_labels_label_id_fkey: 'label_ids',
};

/** Runs a write and turns a violated database constraint into an error of the field. */
export async function withFieldErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const field = FIELD_OF[constraintOf(error) ?? ''];
    if (field) throw new Invalid({ [field]: [selectedInvalidMessage(field)] }, VALIDATION_FAILED);
    throw error;
  }
}

/** Name of the constraint that a database error is about. */
function constraintOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('driverError' in error)) return null;
  const { driverError } = error;
  if (typeof driverError !== 'object' || driverError === null || !('constraint' in driverError)) return null;
  return typeof driverError.constraint === 'string' ? driverError.constraint : null;
}
