import { expect, type Locator, type Page } from '@playwright/test';

/** One tool run by hand: a list, and a form made from the schema. */
export class ToolRunner {
  readonly list: Locator;

  constructor(private readonly window: Page) {
    this.list = window.getByRole('listbox', { name: 'Tools, by server' });
  }

  async open(): Promise<void> {
    await this.window
      .getByRole('button', { name: /run a tool yourself$/i })
      .first()
      .click();
    await expect(this.list).toBeVisible();
  }

  async choose(tool: string): Promise<Locator> {
    await this.list
      .getByRole('option')
      .filter({ has: this.window.getByText(tool, { exact: true }) })
      .click();
    const form = this.form(tool);
    await expect(form).toBeVisible();
    return form;
  }

  form(tool: string): Locator {
    return this.window.getByRole('form', { name: tool, exact: true });
  }

  async run(tool: string): Promise<void> {
    await this.form(tool).getByRole('button', { name: 'Run', exact: true }).click();
  }
}
