import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Allgemein',
    messages: 'Nachrichten',
    threads: 'Threads',
    voice: 'Sprache',
    people: 'Personen',
    server: 'Den Server leiten',
    administrator: 'Alles',
  },
  allowed: (n, all) => `${n} von ${all} erlaubt`,
  set: (n) => (n === 0 ? 'Wie übergeordnet' : `${n} hier gesetzt`),
  inServer: (isAllowed) => (isAllowed ? 'Wie auf dem Server: erlaubt' : 'Wie auf dem Server: nicht erlaubt'),
  private: 'Privater Kanal',
  privateOn: 'Nur Eigentümer, Administratoren und die Rollen unten sehen ihn.',
  privateOff: 'Jedes Mitglied sieht ihn.',
  privateHint: 'Nur Eigentümer und Administratoren sehen ihn, bis du in seinen Einstellungen Rollen auswählst.',
  whoSees: 'Wer ihn sieht',
  noRoles: 'Unter deiner Rolle gibt es keine, die du wählen könntest.',
  choices: {
    deny: 'Verbieten',
    inherit: 'Wie übergeordnet',
    allow: 'Erlauben',
  },
} satisfies typeof permissionWords
