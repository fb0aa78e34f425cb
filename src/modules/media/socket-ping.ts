import type { WebSocket } from 'ws';

/** Sockets whose peer has sent nothing since the last ping. */
const unanswered = new WeakSet<WebSocket>();

/** Sends a ping; terminates the socket when neither a pong nor a message followed the last one. */
export function pingOrTerminate(socket: WebSocket): void {
  if (unanswered.has(socket)) return socket.terminate();
  const answered = (): void => {
    unanswered.delete(socket);
    socket.off('pong', answered);
    socket.off('message', answered);
  };
  unanswered.add(socket);
  socket.on('pong', answered);
  socket.on('message', answered);
  socket.ping();
}
