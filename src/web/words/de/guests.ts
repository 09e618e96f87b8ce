// Printed from locales/de/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Als Gast beitreten',
  name: 'Dein Name',
  hint: 'Für 24 Stunden, ohne Konto. In dieser Zeit kannst du ein bleibendes Konto daraus machen.',
  keep: 'Konto behalten',
  keepText:
    'Du bist Gast. Wähle einen Benutzernamen und ein Passwort, dann gehört dir dieses Konto mit allem, was du geschrieben hast.',
  ends: (time) => `Sonst endet es: ${time}.`,
} satisfies typeof guestWords
