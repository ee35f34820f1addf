import { expect, type Locator, type Page } from '@playwright/test';

/** Asks before a program runs or an address is contacted. */
export class LaunchSheet {
  readonly sheet: Locator;
  readonly keepOff: Locator;
  readonly look: Locator;

  constructor(window: Page, serverName: string) {
    // What was approved before and changed is turned on again.
    this.sheet = window
      .getByRole('dialog', { name: `Turn on “${serverName}”?` })
      .or(window.getByRole('dialog', { name: `Turn “${serverName}” on again?` }));
    this.keepOff = this.sheet.getByRole('button', { name: 'Keep off' });
    this.look = this.sheet.getByRole('button', { name: /and look at its tools$/ });
  }

  /** Clicks as a person does: once the button takes it. */
  async allow(): Promise<void> {
    await this.look.click();
    await expect(this.sheet).toBeHidden();
  }
}

/** Asks before one call is sent. */
export class ToolSheet {
  readonly sheet: Locator;
  readonly dontRun: Locator;
  readonly runOnce: Locator;
  readonly runInThisChat: Locator;

  constructor(window: Page, toolName: string) {
    this.sheet = window.getByRole('alertdialog', { name: toolName, exact: true });
    this.dontRun = this.sheet.getByRole('button', { name: 'Don’t run' });
    this.runOnce = this.sheet.getByRole('button', { name: 'Run once' });
    this.runInThisChat = this.sheet.getByRole('button', { name: 'Run in this chat' });
  }

  argument(name: string): Locator {
    return this.sheet.getByRole('region', { name: `Argument ${name}` });
  }

  /** Opens what stands behind “Run in this chat”, then clicks as a person does: once the button takes it. */
  async allowAlways(): Promise<void> {
    await this.sheet.getByRole('button', { name: 'More ways to allow' }).click();
    await this.sheet.getByRole('button', { name: 'Always for this tool' }).click();
    await expect(this.sheet).toBeHidden();
  }

  async allowOnce(): Promise<void> {
    await this.runOnce.click();
    await expect(this.sheet).toBeHidden();
  }

  async refuse(reason?: string): Promise<void> {
    if (reason !== undefined) {
      await this.sheet.getByRole('button', { name: 'Say why not…' }).click();
      await this.sheet.getByRole('textbox', { name: 'Why not' }).fill(reason);
    }
    await this.dontRun.click();
    await expect(this.sheet).toBeHidden();
  }
}

/** Puts to a person what a server asks during a call. */
export class QuestionSheet {
  readonly sheet: Locator;
  readonly dontAnswer: Locator;
  readonly send: Locator;
  readonly dontOpen: Locator;
  readonly openIt: Locator;
  readonly goOn: Locator;

  constructor(window: Page, serverName: string) {
    this.sheet = window.getByRole('alertdialog', {
      name: new RegExp(`^“${serverName}” (asks you something|wants an address opened)$`),
    });
    this.dontAnswer = this.sheet.getByRole('button', { name: 'Don’t answer' });
    this.send = this.sheet.getByRole('button', { name: 'Send', exact: true });
    this.dontOpen = this.sheet.getByRole('button', { name: 'Don’t open' });
    this.openIt = this.sheet.getByRole('button', { name: 'Open in the browser' });
    this.goOn = this.sheet.getByRole('button', { name: 'Go on' });
  }
}

/** Asks before a sign-in contacts a host, and before the browser opens. */
export class SignInSheet {
  readonly sheet: Locator;
  readonly dontSignIn: Locator;
  readonly contact: Locator;
  readonly openBrowser: Locator;

  constructor(window: Page, serverName: string) {
    this.sheet = window.getByRole('dialog', { name: `Sign in to “${serverName}”?` });
    this.dontSignIn = this.sheet.getByRole('button', { name: 'Don’t sign in' });
    this.contact = this.sheet.getByRole('button', { name: 'Contact for this sign-in' });
    this.openBrowser = this.sheet.getByRole('button', { name: 'Open the browser' });
  }
}
