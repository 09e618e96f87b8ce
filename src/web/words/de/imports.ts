// Printed from locales/de/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Übernimm deine Nachrichten',
  text: 'Nachrichten, die von anderswo importiert wurden, gehören dann dir, mit ihren Dateien und Reaktionen. Rollen und Berechtigungen ändern sich nicht. Das lässt sich nicht rückgängig machen.',
  take: 'Das sind meine',
  taken: 'Die Nachrichten gehören in wenigen Minuten dir.',
  gone: 'Der Link ist abgelaufen, wurde schon verwendet oder gilt für ein anderes Konto.',
  go: 'Weiter',
} satisfies typeof importWords
