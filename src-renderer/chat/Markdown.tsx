import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Code, InlineCode } from '../ui/Code';
import styles from './Markdown.module.css';
import { splitSettled } from './markdown-split';

const PLUGINS = [remarkGfm];

// Nothing here loads or leads anywhere: an address is words, and an image is its words and its address (G4).
const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <span className={styles.address}>
      {children}
      {href && <span className={styles.where}> ({href})</span>}
    </span>
  ),
  img: ({ alt, src }) => (
    <span className={styles.where}>
      [image not loaded: {alt ? `${alt}, ` : ''}
      {typeof src === 'string' ? src : 'no address'}]
    </span>
  ),
  pre: ({ children }) => <Code tall>{children}</Code>,
  code: ({ children, className }) =>
    className || String(children).includes('\n') ? <code>{children}</code> : <InlineCode>{children}</InlineCode>,
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
  table: ({ children }) => (
    <div className={styles.tableBox} role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

const asItStands = (address: string): string => address;

const Parsed = memo(function Parsed({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={asItStands}>
      {text}
    </ReactMarkdown>
  );
});

/** A model's words. While they are still coming, what is settled is not parsed again. */
export function Markdown({ text, settled }: { text: string; settled: boolean }) {
  const [before, tail] = settled ? [text, ''] : splitSettled(text);
  return (
    <div className={styles.prose} dir="auto">
      {before && <Parsed text={before} />}
      {tail && <Parsed text={tail} />}
    </div>
  );
}
