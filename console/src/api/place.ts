/** Where the console and its API are, without a slash at the end. The service names them in the page that it serves. */
const base = document.querySelector('base')?.getAttribute('href') ?? '/console/';
const api = document.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content ?? '/api';

export const CONSOLE_PATH = base.replace(/\/+$/, '');
export const API_PATH = api.replace(/\/+$/, '');
/** Of the service itself: `/docs` is below it. */
export const SERVICE_PATH = CONSOLE_PATH.replace(/\/console$/, '');
