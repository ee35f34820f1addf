import type { Locator, Page } from '@playwright/test';

/** The transcript and what one writes under it. */
export class ChatPage {
  readonly conversation: Locator;
  readonly message: Locator;

  constructor(private readonly window: Page) {
    this.conversation = window.getByRole('log', { name: 'Conversation' });
    this.message = window.getByRole('textbox', { name: 'Message' });
  }

  async startNew(): Promise<void> {
    const back = this.window.getByRole('button', { name: 'Back to chats' });
    if (await back.isVisible()) await back.click();
    await this.window.getByRole('button', { name: 'New chat' }).click();
  }

  async backToChats(): Promise<void> {
    await this.window.getByRole('button', { name: 'Back to chats' }).click();
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
  }

  /** Waits until the answer is finished. */
  async settled(): Promise<void> {
    await this.window.getByRole('button', { name: 'Send' }).waitFor();
  }

  /** The line of one call, by what stands on it. */
  line(server: string, tool: string): Locator {
    return this.conversation.locator('summary').filter({ hasText: `${server} · ${tool}` });
  }

  /** Opens a line and gives what unfolds below it. */
  async open(line: Locator): Promise<Locator> {
    await line.click();
    return line.locator('xpath=..');
  }
}
