const A_PATH = /^(?:\/|[A-Za-z]:[\\/])/;

/** Where a call goes. A program runs here: that it stays here nobody can promise, since it can use the network by itself (P3). */
export function gateWords({ leaves, where }: { leaves: boolean; where: string }): string {
  if (leaves) return `leaves to ${where}`;
  return A_PATH.test(where) ? `runs here: ${where}` : `stays here: ${where}`;
}
