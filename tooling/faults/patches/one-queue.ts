/** Planted defect for `neighbour`: one queue with four slots for the requests of all accounts. */
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';

const SLOTS = 4;
const waiting: (() => void)[] = [];
let taken = 0;

const { emit } = Server.prototype;

Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]): boolean {
  const pass = (): boolean => Reflect.apply(emit, this, [event, ...args]) as boolean;
  const [request, response] = args as [IncomingMessage, ServerResponse];
  if (event !== 'request' || !request.url?.includes('/user/')) return pass();
  const enter = (): void => {
    taken++;
    response.once('close', leave);
    pass();
  };
  if (taken < SLOTS) enter();
  else waiting.push(enter);
  return true;
} as typeof emit;

function leave(): void {
  taken--;
  waiting.shift()?.();
}
