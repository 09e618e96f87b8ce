// Printed from locales/de/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'Willkommen zurück',
    ended:
      'Du wurdest von einem anderen Gerät aus abgemeldet. Melde dich wieder an. Ungesendete Nachrichten sind noch da.',
    name: 'Benutzername oder E-Mail',
    username: 'Benutzername',
    email: 'E-Mail',
    password: 'Passwort',
    login: 'Anmelden',
    passkey: 'Mit Passkey anmelden',
    register: 'Konto erstellen',
    forgot: 'Passwort vergessen?',
    noAccount: 'Noch kein Konto?',
    haveAccount: 'Du hast schon ein Konto?',
    rulesTitle: 'Anforderungen',
    rules: {
      length: 'mindestens 12 Zeichen',
      upper: 'ein Großbuchstabe',
      lower: 'ein Kleinbuchstabe',
      digit: 'eine Ziffer',
      special: 'eines von !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }) =>
    `Neue Anmeldung bei deinem Konto: ${device}, von ${ip}. Wenn du das nicht warst, beende die Sitzung in den Einstellungen.`,
  securityChanged: {
    totp_on: 'Für dein Konto wurde eine Authenticator-App eingerichtet.',
    totp_off: 'Die Authenticator-App deines Kontos wurde ausgeschaltet.',
    recovery_codes: 'Für dein Konto wurden neue Wiederherstellungscodes erstellt.',
    passkey_added: 'Deinem Konto wurde ein Passkey hinzugefügt.',
    passkey_removed: 'Ein Passkey wurde aus deinem Konto entfernt.',
    identity_linked: 'Dein Konto wurde mit Single Sign-on verknüpft.',
    identity_unlinked: 'Die Verknüpfung deines Kontos mit Single Sign-on wurde aufgehoben.',
  },
  unknownDevice: 'ein unbekanntes Gerät',
} satisfies typeof accountWords
