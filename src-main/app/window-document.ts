import { z } from 'zod';
import { openJsonDocument } from '../storage/json-document';
import { windowStateFrom, type WindowState } from './window-state';

/** Replaces what the file says about the window. A file that cannot be replaced stays as it is. */
export function writeWindowDocument(file: string, state: WindowState): void {
  const schema = z.unknown().transform(windowStateFrom);
  openJsonDocument<WindowState>({ file, schema, empty: windowStateFrom(undefined) }).update(() => state);
}
