import { HttpClient, type HttpResponse } from '../../tooling/harness/http-client.js';
import { baseUrl } from './client-base.js';
import { contractProblem } from './contract.js';

export type { HttpResponse as Answer } from '../../tooling/harness/http-client.js';
export { baseUrl } from './client-base.js';

/** Holds every answer against the service's own OpenAPI document. */
export class Client extends HttpClient {
  constructor(token: string | null, root = `${baseUrl()}/api`) {
    super(token, root);
  }

  /** Of the same service. */
  withToken(token: string): Client {
    return new Client(token, this.root);
  }

  override async send<T>(
    method: string,
    path: string,
    body?: string | FormData,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse<T>> {
    const answer = await super.send<T>(method, path, body, headers);
    const problem = await contractProblem(
      method,
      new URL(this.root + path).pathname,
      answer.status,
      answer.body,
    );
    if (problem) throw new Error(problem);
    return answer;
  }
}
