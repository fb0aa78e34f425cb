import { useNavigate } from '@tanstack/react-router';

/** Changes search parameters of the address; undefined removes one. */
export function useSearchChange() {
  const navigate = useNavigate();
  return (changes: Record<string, string | number | undefined>, { isStep = true } = {}): void =>
    void navigate({
      to: '.',
      search: (former: Record<string, unknown>) => ({ ...former, ...changes }),
      replace: !isStep,
    } as never);
}
