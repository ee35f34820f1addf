import { changesWhatRuns } from './launch-rule';

const SECRET_NAME = /TOKEN|KEY|SECRET|PASSW(?:OR)?D|CREDENTIAL|AUTHORIZATION|COOKIE/i;

/** Whether a value under this name is proposed as a secret. Names that change what runs never are (T1). */
export const looksSecret = (name: string): boolean => SECRET_NAME.test(name) && !changesWhatRuns(name);
