import { type Counter, openCounter } from '../../src-main/secrets/keychain-counter';

/** A counter that lasts for one run, as it is without a keychain. */
export const runCounter = (value = 0): Counter => openCounter({ value, keep: null });
