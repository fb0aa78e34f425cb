import { CallFailed, type BegunCall } from '../../../../../widget/call.js';
import { messageOf } from '#console/api/api-error';
import { api } from '#console/api/client';

/**
 * Begins a call of the account's own in this browser.
 *
 * @param tell told why there is none, in the service's words
 * @throws CallFailed
 */
export async function beginWebCall(
  assistantId: number,
  variables: Record<string, unknown>,
  tell: (problem: string) => void,
): Promise<BegunCall & { call_id: number }> {
  try {
    const { data } = await api.POST('/user/web-calls', { body: { assistant_id: assistantId, variables } });
    if (data) return data;
  } catch (error) {
    tell(messageOf(error));
  }
  throw new CallFailed('unavailable');
}
