// The one name from outside ECMAScript that the shared rules may use: parsing an address is a pure function.
interface URLSearchParams {
  append(name: string, value: string): void;
  forEach(callback: (value: string, name: string) => void): void;
  toString(): string;
}
interface URL {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  pathname: string;
  search: string;
  readonly hash: string;
  readonly username: string;
  readonly password: string;
  readonly searchParams: URLSearchParams;
}
declare const URL: { new (text: string, base?: string): URL; canParse(text: string, base?: string): boolean };
