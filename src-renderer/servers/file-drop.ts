import type { DragEvent } from 'react';
import { MAX_DROPPED_LENGTH } from '../../src-shared/servers/import.schema';

interface DroppedFile {
  file: string;
  text: string;
}

/** Handlers for a page that takes one dropped file as text. Its path stays unknown: only what it holds is read (S9). */
export function fileDrop(onFile: (dropped: DroppedFile) => void, onProblem: (sentence: string) => void) {
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  return {
    onDragOver(event: DragEvent): void {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDrop(event: DragEvent): void {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      const [first, ...others] = [...event.dataTransfer.files];
      if (!first || others.length > 0) return onProblem('Drop one file at a time.');
      if (first.size > MAX_DROPPED_LENGTH)
        return onProblem('This file is larger than 1 MiB, so it was not read. Drop another one.');
      const file = first.name.slice(0, 300) || 'a dropped file';
      first.text().then(
        (text) => onFile({ file, text }),
        () => onProblem('This cannot be read. Drop the file that holds the entries.'),
      );
    },
  };
}
