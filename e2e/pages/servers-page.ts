import { expect, type Locator, type Page } from '@playwright/test';
import { ServerPage } from './server-page';
import { LaunchSheet } from './sheets';

/** Settings, MCP servers: the list, and the way to add one. */
export class ServersPage {
  readonly addField: Locator;
  readonly addForm: Locator;

  constructor(private readonly window: Page) {
    this.addField = window.getByRole('form', { name: 'Add a server' }).getByRole('textbox');
    this.addForm = window.getByRole('form', { name: 'Add servers' });
  }

  async open(): Promise<void> {
    const settings = this.window.getByRole('navigation', { name: 'Settings' });
    if (!(await settings.isVisible())) await this.window.getByRole('button', { name: 'Settings' }).click();
    await settings.getByRole('button', { name: 'MCP servers' }).click();
    await expect(this.addField).toBeVisible();
  }

  row(name: string): Locator {
    return this.window.getByRole('listitem').filter({ has: this.window.getByRole('button', { name: `Acts on ${name}` }) });
  }

  switchOf(name: string): Locator {
    return this.row(name).getByRole('switch', { name, exact: true });
  }

  /** Types into the one field and leads to what was understood. */
  async type(text: string, name?: string): Promise<void> {
    await this.open();
    await this.addField.fill(text);
    await this.addField.press('Enter');
    await expect(this.addForm).toBeVisible();
    if (name !== undefined) await this.addForm.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  }

  get addButton(): Locator {
    return this.addForm.getByRole('button', { name: 'Add (it stays off)' });
  }

  /** Adds one server, off. Its own page is open afterwards. */
  async addTyped(text: string, name: string): Promise<void> {
    await this.type(text, name);
    await this.addButton.click();
    await expect(this.addForm).toBeHidden();
  }

  /** Asks for the review by the switch in the list. */
  async review(name: string): Promise<LaunchSheet> {
    await this.open();
    await this.switchOf(name).click();
    return new LaunchSheet(this.window, name);
  }

  async turnOff(name: string): Promise<void> {
    await this.open();
    await this.switchOf(name).click();
    await expect(this.switchOf(name)).not.toBeChecked();
  }

  /** Opens the page of one server from the list. */
  async openServer(name: string): Promise<ServerPage> {
    await this.open();
    await this.row(name).getByRole('button', { name, exact: true }).click();
    const page = new ServerPage(this.window, name);
    await expect(page.title).toBeVisible();
    return page;
  }

  /** Review, look, tick every tool but some, turn on. */
  async turnOn(name: string, except: readonly string[] = []): Promise<ServerPage> {
    await (await this.review(name)).allow();
    const page = new ServerPage(this.window, name);
    await page.tick(except);
    await page.turnOn();
    return page;
  }
}
