import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Bereiche',
  home: 'Start',
  servers: 'Server',
  inbox: 'Postfach',
  you: 'Du',
  noServers: 'Noch keine Server',
  noServersText: 'Erstelle einen, oder tritt einem mit einem Einladungslink bei.',
} satisfies typeof phoneWords
