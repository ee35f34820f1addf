import { expect, type Locator, type Page } from '@playwright/test';

/** Settings, Models: a form, and a row with a switch for each. */
export class ModelsPage {
  readonly form: Locator;

  constructor(private readonly window: Page) {
    this.form = window.getByRole('form', { name: 'Add a model' });
  }

  async open(): Promise<void> {
    const settings = this.window.getByRole('navigation', { name: 'Settings' });
    if (!(await settings.isVisible())) await this.window.getByRole('button', { name: 'Settings' }).click();
    await settings.getByRole('button', { name: 'Models' }).click();
  }

  async fill(model: { name: string; address: string; model: string; key?: string }): Promise<void> {
    await this.open();
    await this.window.getByRole('button', { name: 'Add a model' }).click();
    await this.form.getByLabel('Name').fill(model.name);
    await this.form.getByLabel('Model').fill(model.model);
    await this.form.getByLabel('Address').fill(model.address);
    if (model.key !== undefined) await this.form.getByLabel('Key').fill(model.key);
  }

  async add(model: { name: string; address: string; model: string; key?: string }): Promise<void> {
    await this.fill(model);
    await this.form.getByRole('button', { name: 'Add it, off' }).click();
    await expect(this.form).toBeHidden();
  }

  switchOf(name: string): Locator {
    return this.window.getByRole('switch', { name, exact: true });
  }

  /** Adds it and turns it on; afterwards the composer writes to it. */
  async addAndTurnOn(model: { name: string; address: string; model: string; key?: string }): Promise<void> {
    await this.add(model);
    await expect(this.switchOf(model.name)).not.toBeChecked();
    await this.switchOf(model.name).click();
    await expect(this.switchOf(model.name)).toBeChecked();
  }
}
