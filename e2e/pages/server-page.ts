import { expect, type Locator, type Page } from '@playwright/test';
import { LaunchSheet } from './sheets';

/** The page of one server: who it is, the look at its tools, and its three tabs. */
export class ServerPage {
  readonly title: Locator;
  readonly reviewButton: Locator;
  readonly look: Locator;
  readonly trouble: Locator;

  constructor(
    private readonly window: Page,
    private readonly name: string,
  ) {
    this.title = window.getByRole('heading', { name, level: 2 });
    this.reviewButton = window.getByRole('button', { name: 'Review and turn on' });
    this.look = window.getByRole('region', { name: 'Look at its tools' });
    this.trouble = window.getByRole('region', { name: 'What went wrong' });
  }

  async review(): Promise<LaunchSheet> {
    await this.reviewButton.click();
    return new LaunchSheet(this.window, this.name);
  }

  /** Ticks every tool but some, once they are listed. */
  async tick(except: readonly string[] = []): Promise<void> {
    await this.look.getByRole('checkbox', { name: 'All tools' }).check();
    for (const tool of except) await this.look.getByRole('checkbox', { name: `Offer ${tool}`, exact: true }).uncheck();
  }

  async turnOn(): Promise<void> {
    await this.look.getByRole('button', { name: /^Turn on with/ }).click();
    await expect(this.look).toBeHidden();
    await expect(this.serverSwitch).toBeChecked();
  }

  get serverSwitch(): Locator {
    return this.window.getByRole('main').getByRole('switch', { name: this.name, exact: true });
  }

  toolSwitch(tool: string): Locator {
    return this.window.getByRole('table', { name: `Tools of ${this.name}` }).getByRole('switch', { name: tool, exact: true });
  }

  async openTab(tab: 'Tools' | 'Log' | 'Limits' | 'Sign-in' | 'Trust'): Promise<void> {
    await this.window.getByRole('tab', { name: tab }).click();
  }
}
