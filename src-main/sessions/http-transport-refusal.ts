import { readHead } from './bounded-stream';
import type { HttpAnswer } from './http-transport-door';
import { mediaType } from './http-transport-messages';

export const ERROR_HEAD_BYTES = 4096;

export type SdkErrors = Pick<typeof import('@modelcontextprotocol/client'), 'SdkHttpError' | 'SdkError' | 'SdkErrorCode'>;

/** The beginning of an error body: all that is ever read of it (W2). */
export const refusalText = async (answer: HttpAnswer): Promise<string> =>
  (await readHead(answer, ERROR_HEAD_BYTES)).toString('utf8');

/** A status that is no success, in the form the protocol client knows. */
export function statusError(sdk: SdkErrors, status: number, text: string): Error {
  return new sdk.SdkHttpError(sdk.SdkErrorCode.ClientHttpNotImplemented, `The server answered with status ${status}.`, {
    status,
    statusText: '',
    text,
  });
}

/** A success that carries nothing this transport can read. */
export function contentError(sdk: SdkErrors, answer: HttpAnswer, text: string): Error {
  const contentType = mediaType(answer);
  return new sdk.SdkError(
    sdk.SdkErrorCode.ClientHttpUnexpectedContent,
    `The server answered with status ${answer.status} and ${contentType || 'no type'}, which is no MCP reply.`,
    { status: answer.status, contentType, text },
  );
}
