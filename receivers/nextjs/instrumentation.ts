/** Next.js calls it once, when the server starts. */
export const register = (): void => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    if (process.env.WEBHOOK_SECRET) return;
    console.error('Set WEBHOOK_SECRET to the secret of your webhook.');
    process.exit(1);
  }
};
