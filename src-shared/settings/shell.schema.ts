import { z } from 'zod';

/** Where the master key stands (S5). */
export const KeychainStateSchema = z.enum(['ready', 'locked', 'absent', 'memory-only']);
export type KeychainState = z.infer<typeof KeychainStateSchema>;

/** What the frame of the window shows. */
export const ShellViewSchema = z.object({
  appVersion: z.string(),
  platform: z.string(),
  keychain: KeychainStateSchema,
  /** Sentences that stay in sight until their reason is gone (S4). */
  banners: z.array(z.string()),
  /** Set by a menu entry: the screen the window goes to, with a counter so that the same one can be asked for twice. */
  goTo: z
    .object({ screen: z.enum(['chat', 'servers', 'models', 'privacy', 'run-a-tool', 'new-chat']), nth: z.number() })
    .nullable(),
});
export type ShellView = z.infer<typeof ShellViewSchema>;
