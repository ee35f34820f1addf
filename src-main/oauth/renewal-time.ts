/** When a token is renewed: a little before its end, so that no request meets it on its way. Null when no end is named. */
export function renewalTime(now: number, expiresIn: number | undefined): number | null {
  if (expiresIn === undefined || !Number.isFinite(expiresIn) || expiresIn <= 0) return null;
  const lifetime = expiresIn * 1000;
  return now + lifetime - Math.min(30_000, lifetime / 10);
}
