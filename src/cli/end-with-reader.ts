/** `npm run cli -- accounts list | head -1`: when nobody reads on, there is nothing left to say. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
