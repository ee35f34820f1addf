/** Root may read and write everything, so under root a test of permissions would prove nothing. */
export function requireUnprivileged(): void {
  if (process.getuid?.() === 0)
    throw new Error('This test is about file permissions, which root does not have. Run it as an ordinary user.');
}
