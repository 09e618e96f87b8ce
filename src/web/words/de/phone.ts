// Printed from locales/de/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Bereiche',
  home: 'Start',
  servers: 'Server',
  inbox: 'Postfach',
  you: 'Du',
  noServers: 'Noch keine Server',
  noServersText: 'Erstelle einen, oder tritt einem mit einem Einladungslink bei.',
  toCall: (name) => `Zurück zum Anruf in ${name}`,
  shrinkCall: 'Anruf verkleinern',
} satisfies typeof phoneWords
