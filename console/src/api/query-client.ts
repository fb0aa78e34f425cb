import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';

const MOST_RETRIES = 3;

/** Waiting for a busy service is `patientFetch`'s; here only a lost connection is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < MOST_RETRIES && error instanceof ApiError && error.status === 0,
    },
  },
});
