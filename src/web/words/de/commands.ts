// Printed from locales/de/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Befehle',
  find: 'Befehl suchen',
  nothing: 'Keine passenden Befehle.',
  none: 'Kein Bot hat dafür einen Befehl.',
  by: (bot) => `von ${bot}`,
  use: (name) => `/${name} verwenden`,
  choose: 'Auswählen …',
  chooseBetween: ({ min, max }) => `Wähle ${min} bis ${max} aus.`,
  yes: 'Ja',
  no: 'Nein',
  send: 'Senden',
  uploading: 'Die Datei wird noch hochgeladen.',
  waiting: (bot) => `${bot} denkt nach …`,
  silent: (bot) => `${bot} hat nicht geantwortet.`,
  onlyYou: 'Nur du kannst das sehen',
  dismiss: 'Verwerfen',
  answers: 'Antworten von Bots, die nur du siehst',
  answering: ({ name, command }) => `${name} hat /${command} verwendet`,
  answeringComponent: (name) => `${name} hat das angefordert`,
  texts: {
    me: 'Sagt kursiv, was du tust',
    shrug: 'Hängt ¯\\_(ツ)_/¯ an',
    spoiler: 'Verbirgt den Text, bis jemand darauf klickt',
    tableflip: 'Hängt (╯°□°)╯︵ ┻━┻ an',
  },
} satisfies typeof commandWords
