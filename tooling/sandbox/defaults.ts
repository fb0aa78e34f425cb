/** Default credentials of the sandbox and of a service without other settings. Worthless outside the sandbox. */
export const SANDBOX_PORT = 4010;
export const SANDBOX_ACCOUNT_SID = `AC${'0'.repeat(32)}`;
export const SANDBOX_AUTH_TOKEN = 'sandbox-auth-token';
export const SANDBOX_API_KEY = 'sandbox-api-key';
