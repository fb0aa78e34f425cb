/** What the sandbox and a service that is not told otherwise agree on. Worthless outside the sandbox. */
export const SANDBOX_PORT = 4010;
export const SANDBOX_ACCOUNT_SID = `AC${'0'.repeat(32)}`;
export const SANDBOX_AUTH_TOKEN = 'sandbox-auth-token';
export const SANDBOX_API_KEY = 'sandbox-api-key';
