import { LOOK_ALIKE_LETTERS } from '../base/look-alikes';
import { stripInvisible } from '../tools/strip-invisible';

// Letters and digits that pass for a Latin letter, so that a name written with them is read as a person reads it.
const LOOK_ALIKES: { [look: string]: string } = {
  ...LOOK_ALIKE_LETTERS,
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '@': 'a', $: 's' },
};

/** Clear wherever they stand, also in the middle of a sentence. */
const ALWAYS = [
  String.raw`pass ?(?:word|wd|phrase|code|key)s?`,
  String.raw`(?:pwd|passwort|kennwort|contrasena|senha|parola|haslo|wachtwoord|mot de passe|clave secreta)`,
  String.raw`(?:api|access|secret|private|signing|encryption|client|consumer|license|ssh|pgp|gpg) ?(?:keys?|secrets?|tokens?)`,
  String.raw`(?:auth|authentication|authorization|bearer|refresh|session|id|oauth|personal access|security|csrf) ?tokens?`,
  String.raw`(?:session ?(?:id|cookie)|cookies?|credentials?|apikeys?|jwt|bearer)`,
  String.raw`(?:seed|recovery|backup|mnemonic|secret) ?(?:phrase|words?|codes?|answer)`,
  String.raw`(?:one ?time|verification|security|confirmation|two factor|2fa|mfa|authenticator|login|sign ?in|sms) ?(?:code|pin)s?`,
  String.raw`(?:credit|debit|bank|payment) ?cards?`,
  String.raw`card ?(?:number|no|nr|pin|code|verification)|(?:account|routing) ?(?:number|no|nr)`,
  String.raw`(?:cvv2?|cvc2?|iban|ssn|social security|passport (?:number|no))`,
];

/** Clear as the name of a field, and ordinary words elsewhere. */
const AS_A_NAME = [
  String.raw`(?:token|secret|pin|otp|totp|pan|cookie|credential|bearer|signature|private|passwords?|pass|auth|authorization|card)`,
  String.raw`(?:.* )?(?:pin|otp|totp|token|secret|pass)(?: (?:code|number|value|key|text))?`,
];

const IN_A_SENTENCE = new RegExp(String.raw`(?<![a-z])(?:${ALWAYS.join('|')})(?![a-z])`);
const NAME = new RegExp(`^(?:${AS_A_NAME.join('|')})$`);
// Words that are not separated by blanks.
const OTHER_SCRIPTS = /парол|кодовое слово|密码|密碼|口令|パスワード|暗証|비밀번호|암호|كلمة المرور|סיסמה|รหัสผ่าน|mật khẩu/u;

/** Whether a sentence asks for something that only its owner should know. */
export function speaksOfSecret(sentence: string): boolean {
  const plain = stripInvisible(sentence).text.normalize('NFKC').toLowerCase();
  return OTHER_SCRIPTS.test(plain) || readings(sentence).some((words) => IN_A_SENTENCE.test(words));
}

/** Whether a field of this name or title takes a secret (W8). It flags too much rather than too little. */
export function namesSecret(name: string): boolean {
  return speaksOfSecret(name) || readings(name).some((words) => NAME.test(words));
}

/** As it stands, and with every look-alike read as the letter it passes for. */
function readings(text: string): string[] {
  const visible = stripInvisible(text).text.slice(0, MAX_READ);
  const split = visible.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return [split, visible, visible.replace(/(?<=\b\p{L})[ ._-](?=\p{L}\b)/gu, '')].flatMap((each) => {
    const plain = inWords(each);
    return [plain, inWords(withoutLookAlikes(plain))];
  });
}

/** No text of a question is longer. */
const MAX_READ = 64_000;

function inWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@$]+/gu, ' ')
    .trim();
}

const withoutLookAlikes = (text: string): string =>
  [...text].map((letter) => (Object.hasOwn(LOOK_ALIKES, letter) ? LOOK_ALIKES[letter] : letter)).join('');
