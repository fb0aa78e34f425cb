import { useSearch } from '@tanstack/react-router';
import { $api } from '#console/api/client';

/** Of whom an assistant is tried: a lead of the address, or somebody of whom nothing is known. */
export interface TrialLead {
  id: number | null;
  phone: string;
  /** Laid over those of the assistant. */
  variables: Record<string, unknown>;
}

const NOBODY: TrialLead = { id: null, phone: '', variables: {} };

export function useTrialLead(): TrialLead {
  const { lead } = useSearch({ from: '/shell/assistants/$id' });
  const id = Number(lead ?? 0);
  const { data } = $api.useQuery(
    'get',
    '/user/leads/{id}',
    { params: { path: { id } } },
    { enabled: id > 0, staleTime: 60_000 },
  );
  const known = data?.data;
  return id > 0 && known ? { id, phone: known.phone_number, variables: known.variables } : NOBODY;
}
