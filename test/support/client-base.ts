export const baseUrl = (): string => process.env.E2E_BASE_URL ?? 'http://127.0.0.1:3000';
