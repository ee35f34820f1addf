/** The part of Electron's event that says who is asking. */
export interface SenderFacts {
  senderFrame: { url: string } | null;
  sender: { id: number; mainFrame: { url: string } };
}

/**
 * Only the main frame of our own window, showing our own page, may call (A9).
 * `senderFrame` is null once the frame has navigated, and a subframe is never the main frame.
 */
export function isTrustedSender(event: SenderFacts, windowId: () => number | null, appOrigin: string): boolean {
  const frame = event.senderFrame;
  if (!frame || event.sender.id !== windowId() || frame !== event.sender.mainFrame) return false;
  return frame.url.startsWith(`${appOrigin}/`);
}
