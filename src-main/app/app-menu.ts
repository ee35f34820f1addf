import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShellView } from '../../src-shared/settings/shell.schema';

type Screen = NonNullable<ShellView['goTo']>['screen'];

/** The native menu. It has no entry that opens developer tools, reloads or leaves the app. */
export function buildAppMenu(goTo: (screen: Screen) => void, platform: NodeJS.Platform): Menu {
  const to = (label: string, accelerator: string, screen: Screen): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => goTo(screen),
  });
  const template: MenuItemConstructorOptions[] = [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        to('New chat', 'CmdOrCtrl+N', 'new-chat'),
        to('Run a tool', 'CmdOrCtrl+Shift+T', 'run-a-tool'),
        { type: 'separator' },
        to('Settings', 'CmdOrCtrl+,', 'servers'),
        { type: 'separator' },
        platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        to('Chats', 'CmdOrCtrl+1', 'chat'),
        to('MCP servers', 'CmdOrCtrl+2', 'servers'),
        to('Models', 'CmdOrCtrl+3', 'models'),
        to('Privacy', 'CmdOrCtrl+Shift+P', 'privacy'),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ];
  return Menu.buildFromTemplate(template);
}
