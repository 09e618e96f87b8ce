// Printed from locales/de/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Allgemein',
    messages: 'Nachrichten',
    threads: 'Threads',
    voice: 'Sprache',
    people: 'Personen',
    server: 'Serververwaltung',
    administrator: 'Alles',
  },
  allowed: ({ n, all }) => `${n} von ${all} erlaubt`,
  set: (n) => (n === 0 ? 'Geerbt' : `${n} hier gesetzt`),
  inServer: (isAllowed) => (isAllowed ? 'Vom Server geerbt: erlaubt' : 'Vom Server geerbt: nicht erlaubt'),
  private: 'Privater Kanal',
  privateOn: 'Nur Eigentümer, Administratoren und die Rollen unten können ihn sehen.',
  privateOff: 'Jedes Mitglied kann ihn sehen.',
  privateHint: 'Nur Eigentümer und Administratoren können ihn sehen, bis du in seinen Einstellungen Rollen auswählst.',
  whoSees: 'Wer ihn sehen kann',
  noRoles: 'Unter deiner Rolle gibt es keine Rollen zur Auswahl.',
  choices: {
    deny: 'Verbieten',
    inherit: 'Erben',
    allow: 'Erlauben',
  },
  moderatorsOnly: 'Nur Moderatoren schreiben',
  moderatorsOnlyText: 'Alle dürfen lesen; Rollen, die Nachrichten verwalten, dürfen schreiben.',
} satisfies typeof permissionWords
