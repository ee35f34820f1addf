import { expect, type Locator, type Page } from '@playwright/test';

/** Settings, Grants: the tools, launches and folders that were allowed. */
export class GrantsPage {
  readonly table: Locator;
  readonly launches: Locator;

  constructor(private readonly window: Page) {
    this.table = window.getByRole('table', { name: 'Tools you have allowed' });
    this.launches = window.getByRole('region', { name: 'Programs and hosts' });
  }

  async open(): Promise<void> {
    const settings = this.window.getByRole('navigation', { name: 'Settings' });
    if (!(await settings.isVisible())) await this.window.getByRole('button', { name: 'Settings' }).click();
    await settings.getByRole('button', { name: 'Grants' }).click();
    await expect(this.window.getByRole('heading', { name: 'What you have allowed' })).toBeVisible();
  }

  row(tool: string): Locator {
    return this.table.getByRole('row').filter({ has: this.window.getByText(tool, { exact: true }) });
  }

  async revoke(tool: string): Promise<void> {
    await this.row(tool)
      .getByRole('button', { name: `Revoke ${tool}` })
      .click();
    await expect(this.row(tool)).toHaveCount(0);
  }

  async revokeEverything(): Promise<void> {
    await this.window.getByRole('button', { name: 'Revoke everything…' }).click();
    const confirm = this.window.getByRole('alertdialog', { name: 'Revoke everything?' });
    await confirm.getByRole('button', { name: 'Stop and revoke everything' }).click();
    await expect(confirm).toBeHidden();
  }
}
