import { join } from 'node:path';
import { z } from 'zod';
import { openJsonDocument } from '../storage/json-document';

const side = z.number().int().min(200).max(20_000);
const offset = z.number().int().min(-20_000).max(20_000).optional();

/** Where the window stood when it was last closed, in screen points. */
export const WindowStateSchema = z.object({
  width: side.catch(1280),
  height: side.catch(820),
  x: offset.catch(undefined),
  y: offset.catch(undefined),
  maximised: z.boolean().catch(false),
});
export type WindowState = z.infer<typeof WindowStateSchema>;

export interface WindowPlace {
  read(): WindowState;
  write(state: WindowState): void;
}

const FIRST: WindowState = { width: 1280, height: 820, maximised: false };

/** A file that cannot be read costs the window its place, nothing more. */
export function openWindowPlace(folder: string): WindowPlace {
  const document = openJsonDocument<WindowState>({ file: join(folder, 'window.json'), schema: WindowStateSchema, empty: FIRST });
  return {
    read() {
      const read = document.read();
      return read.ok ? read.value : FIRST;
    },
    write(state) {
      document.update(() => WindowStateSchema.parse(state));
    },
  };
}
