import { cutAtCharacter } from '../base/hidden-characters';

/** What an expression begins with says how its values are joined and what of them is escaped (RFC 6570, appendix A). */
const OPERATORS: Readonly<Record<string, { first: string; between: string; named: boolean; empty: string; reserved: boolean }>> =
  {
    '': { first: '', between: ',', named: false, empty: '', reserved: false },
    '+': { first: '', between: ',', named: false, empty: '', reserved: true },
    '#': { first: '#', between: ',', named: false, empty: '', reserved: true },
    '.': { first: '.', between: '.', named: false, empty: '', reserved: false },
    '/': { first: '/', between: '/', named: false, empty: '', reserved: false },
    ';': { first: ';', between: ';', named: true, empty: '', reserved: false },
    '?': { first: '?', between: '&', named: true, empty: '=', reserved: false },
    '&': { first: '&', between: '&', named: true, empty: '=', reserved: false },
  };
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;
const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(?:\*|:([1-9]\d{0,3}))?$/;

/** The variables of a URI template in the order they stand; null for a text that is no template (RFC 6570). */
export function templateVariables(template: string): string[] | null {
  if (/[{}]/.test(template.replace(EXPRESSION, ''))) return null;
  const names = new Set<string>();
  for (const [, , list = ''] of template.matchAll(EXPRESSION)) {
    for (const spec of list.split(',')) {
      const name = VARIABLE.exec(spec)?.[1];
      if (name === undefined) return null;
      names.add(name);
    }
  }
  return [...names];
}

/** Fills a template's variables in, escaped so that a value stays within its place. Variables without a value are left out. */
export function expandTemplate(template: string, values: { readonly [name: string]: string }): string {
  return template.replace(EXPRESSION, (_all, sign: string, list: string) => {
    const operator = OPERATORS[sign];
    if (!operator) return '';
    const parts = list.split(',').flatMap((spec) => {
      const [, name = '', length] = VARIABLE.exec(spec) ?? [];
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return [];
      const cut = length === undefined ? value : cutAtCharacter(value, Number(length));
      const escaped = operator.reserved ? escapeReserved(cut) : escapeAll(cut);
      if (!operator.named) return [escaped];
      return [escaped === '' ? `${name}${operator.empty}` : `${name}=${escaped}`];
    });
    return parts.length === 0 ? '' : operator.first + parts.join(operator.between);
  });
}

// Half a character cannot be escaped, and would throw.
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');
const escapeAll = (text: string): string =>
  encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const escapeReserved = (text: string): string => encodeURI(wellFormed(text)).replace(/%25(?=[0-9A-Fa-f]{2})/g, '%');
