// Printed from locales/pl/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'Witaj ponownie',
    ended:
      'Twoja sesja została zakończona z innego urządzenia. Zaloguj się, aby kontynuować. Niewysłane wiadomości nadal tu są.',
    name: 'Nazwa użytkownika lub e-mail',
    username: 'Nazwa użytkownika',
    email: 'E-mail',
    password: 'Hasło',
    login: 'Zaloguj się',
    passkey: 'Zaloguj się kluczem dostępu',
    register: 'Utwórz konto',
    forgot: 'Nie pamiętasz hasła?',
    noAccount: 'Nie masz jeszcze konta?',
    haveAccount: 'Masz już konto?',
    rulesTitle: 'Wymagania',
    rules: {
      length: 'co najmniej 12 znaków',
      upper: 'wielka litera',
      lower: 'mała litera',
      digit: 'cyfra',
      special: 'jeden ze znaków !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }) =>
    `Nowe logowanie na twoje konto: ${device}, z ${ip}. Jeśli to nie ty, zakończ tę sesję w ustawieniach.`,
  securityChanged: {
    totp_on: 'Na twoim koncie skonfigurowano aplikację uwierzytelniającą.',
    totp_off: 'Na twoim koncie wyłączono aplikację uwierzytelniającą.',
    recovery_codes: 'Dla twojego konta utworzono nowe kody odzyskiwania.',
    passkey_added: 'Do twojego konta dodano klucz dostępu.',
    passkey_removed: 'Z twojego konta usunięto klucz dostępu.',
    identity_linked: 'Twoje konto połączono z logowaniem jednokrotnym.',
    identity_unlinked: 'Odłączono twoje konto od logowania jednokrotnego.',
  },
  unknownDevice: 'nieznane urządzenie',
} satisfies typeof accountWords
