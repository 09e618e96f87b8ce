import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Passwort vergessen',
    text: 'Gib die E-Mail-Adresse deines Kontos an. Sie bekommt einen Link, mit dem du ein neues Passwort wählst.',
    send: 'Link senden',
    sent: 'Wenn ein Konto diese Adresse hat, ist ein Link unterwegs. Er gilt eine Stunde.',
  },
  reset: {
    title: 'Neues Passwort wählen',
    text: 'Alle Sitzungen des Kontos werden beendet. Melde dich danach mit dem neuen Passwort an.',
    save: 'Passwort setzen',
    done: 'Dein Passwort ist geändert, und alle Sitzungen sind beendet.',
  },
  verify: {
    title: 'Bestätige deine E-Mail-Adresse',
    text:
      'Wenn du hier kein Konto erstellt hast, schließe diese Seite. Mit der ersten Bestätigung werden ' +
      'zweite Faktoren, Passkeys, verknüpfte Identitäten und Bots entfernt, die vorher hinzugefügt wurden.',
    confirm: 'Diese Adresse bestätigen',
    done: 'Die Adresse ist bestätigt.',
    taken: 'Ein anderes Konto hat diese Adresse.',
    go: 'Weiter',
  },
  confirmFirst: {
    title: 'Bestätige deine E-Mail-Adresse',
    text: (email) => `Ein Link an ${email} ist unterwegs. Öffne ihn, um fortzufahren.`,
    done: 'Ich habe sie bestätigt',
    notYet: 'Die Adresse ist noch nicht bestätigt.',
  },
  own: {
    title: 'E-Mail',
    current: 'Deine Adresse',
    confirmed: 'bestätigt',
    unconfirmed: 'nicht bestätigt',
    resend: 'Bestätigung noch einmal senden',
    resent: 'Ein Link an deine Adresse ist unterwegs.',
    next: 'Neue E-Mail-Adresse',
    hint: 'Sie bekommt einen Link und ersetzt die alte, wenn du ihn öffnest.',
    change: 'Adresse ändern',
    changing: 'Ein Link an die neue Adresse ist unterwegs.',
  },
  linkGone: 'Dieser Link ist abgelaufen oder wurde schon verwendet. Fordere einen neuen an.',
  backToLogin: 'Zurück zur Anmeldung',
} satisfies typeof mailWords
