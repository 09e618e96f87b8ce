// Printed from locales/de/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Passwort zurücksetzen',
    text: 'Gib die E-Mail-Adresse deines Kontos ein. Du bekommst einen Link, um ein neues Passwort zu wählen.',
    send: 'Link senden',
    sent: 'Wenn ein Konto diese Adresse hat, ist ein Link unterwegs. Er gilt eine Stunde.',
  },
  reset: {
    title: 'Neues Passwort wählen',
    text: 'Du wirst überall abgemeldet. Melde dich danach mit dem neuen Passwort an.',
    save: 'Passwort setzen',
    done: 'Dein Passwort wurde geändert, und du wurdest überall abgemeldet.',
  },
  verify: {
    title: 'Bestätige deine E-Mail-Adresse',
    text: 'Wenn du hier kein Konto erstellt hast, schließe diese Seite. Die erste Bestätigung entfernt alle zweiten Faktoren, Passkeys, verknüpften Identitäten und Bots, die vorher hinzugefügt wurden.',
    confirm: 'Diese Adresse bestätigen',
    done: 'Die Adresse ist bestätigt.',
    taken: 'Ein anderes Konto verwendet diese Adresse schon.',
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
    resend: 'Bestätigung erneut senden',
    resent: 'Ein Link an deine Adresse ist unterwegs.',
    next: 'Neue E-Mail-Adresse',
    hint: 'Du bekommst einen Link an die neue Adresse. Sie ersetzt die alte, wenn du ihn öffnest.',
    change: 'Adresse ändern',
    changing: 'Ein Link an die neue Adresse ist unterwegs.',
  },
  linkGone: 'Dieser Link ist abgelaufen oder wurde schon verwendet. Fordere einen neuen an.',
  backToLogin: 'Zurück zur Anmeldung',
} satisfies typeof mailWords
