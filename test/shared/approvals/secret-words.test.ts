import { describe, expect, test } from 'vitest';
import { namesSecret, speaksOfSecret } from '../../../src-shared/approvals/secret-words';

describe('namesSecret', () => {
  const secret: [name: string, because: string][] = [
    ['password', 'plainly'],
    ['Password', 'capital'],
    ['userPassword', 'in camel case'],
    ['USER_PASSWORD', 'in capitals'],
    ['pass-phrase', 'with a dash'],
    ['passwd', 'shortened'],
    ['p a s s w o r d', 'spaced out'],
    ['p.a.s.s.w.o.r.d', 'dotted'],
    ['pass\u200bword', 'held apart by a zero-width space'],
    ['раssword', 'with Cyrillic letters'],
    ['ｐａｓｓｗｏｒｄ', 'full width'],
    ['p4ssw0rd', 'with digits for letters'],
    ['p@$$word', 'with signs for letters'],
    ['api_key', 'a key'],
    ['apiKey', 'a key'],
    ['API key', 'a key'],
    ['APIKEY', 'a key'],
    ['token', 'a token'],
    ['GitHub token', 'a token of something'],
    ['access_token', 'a token'],
    ['clientSecret', 'a secret'],
    ['card number', 'a card'],
    ['cardNumber', 'a card'],
    ['credit_card', 'a card'],
    ['cvv', 'a card'],
    ['PIN', 'a pin'],
    ['pin code', 'a pin'],
    ['otp', 'a one-time code'],
    ['2FA code', 'a one-time code'],
    ['verification code', 'a one-time code'],
    ['recovery phrase', 'a wallet'],
    ['seedPhrase', 'a wallet'],
    ['private key', 'a key'],
    ['sessionCookie', 'a session'],
    ['contraseña', 'in Spanish'],
    ['Passwort', 'in German'],
    ['mot de passe', 'in French'],
    ['пароль', 'in Russian'],
    ['密码', 'in Chinese'],
    ['パスワード', 'in Japanese'],
    ['ssn', 'an identity number'],
    ['IBAN', 'an account'],
  ];
  test.each(secret)('W8, H13: %s is a secret (%s)', (name) => {
    expect(namesSecret(name)).toBe(true);
  });

  const ordinary: string[] = [
    ...['name', 'email', 'city', 'maxTokens', 'max_tokens', 'passenger', 'compass', 'spinner', 'key', 'keyword', 'keys'],
    ...['primary key', 'monkey', 'passport country', 'author', 'discard', 'secretary', 'signature style', 'shipping method'],
    ...['tokenizer', 'code', 'zip code', 'country code', 'branch', 'opinion', 'Pinterest board', 'cardinality'],
  ];
  test.each(ordinary)('W8: %s is not a secret', (name) => {
    expect(namesSecret(name)).toBe(false);
  });
});

describe('speaksOfSecret', () => {
  test.each([
    'Enter your password to go on.',
    'Paste the API key of your account.',
    'We sent a verification code to your phone.',
    'The number of your credit card',
    'Type your pass\u00adword',
  ])('W8, H13: %j asks for a secret', (sentence) => {
    expect(speaksOfSecret(sentence)).toBe(true);
  });

  test.each([
    'Your favourite number (do not give us your phone number, pin, or other sensitive info)',
    'How many tokens are at most written',
    'Pass the salt, and choose a card',
    'Please provide inputs for the following fields:',
    'Agree to the terms and conditions',
  ])('W8: %j does not', (sentence) => {
    expect(speaksOfSecret(sentence)).toBe(false);
  });
});
