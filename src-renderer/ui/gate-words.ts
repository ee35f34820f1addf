const A_PATH = /^(?:\/|[A-Za-z]:[\\/])/;

/** Where a call goes. A program runs here: that it stays here nobody can promise, since it can use the network by itself (P3). */
export function gateWords({ leaves, where }: { leaves: boolean; where: string }): string {
  return leaves ? `leaves to ${where}` : `${stayWords(where)}: ${where}`;
}

/** The same without the place, for what does not leave. */
export function stayWords(where: string): 'runs here' | 'stays here' {
  return A_PATH.test(where) ? 'runs here' : 'stays here';
}
