// Printed from locales/pl/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Polecenia',
  find: 'Znajdź polecenie',
  nothing: 'Brak pasujących poleceń.',
  none: 'Żaden bot nie ma do tego polecenia.',
  by: (bot) => `od ${bot}`,
  use: (name) => `Użyj /${name}`,
  choose: 'Wybierz…',
  chooseBetween: ({ min, max }) => `Wybierz od ${min} do ${max}.`,
  yes: 'Tak',
  no: 'Nie',
  send: 'Wyślij',
  uploading: 'Plik jest nadal przesyłany.',
  waiting: (bot) => `${bot} myśli…`,
  silent: (bot) => `${bot} nie odpowiada.`,
  onlyYou: 'Tylko ty to widzisz',
  dismiss: 'Ukryj',
  answers: 'Odpowiedzi botów, które widzisz tylko ty',
  answering: ({ name, command }) => `${name} używa /${command}`,
  answeringComponent: (name) => `${name} prosi o to`,
  texts: {
    me: 'Pisze kursywą, co robisz',
    shrug: 'Dodaje ¯\\_(ツ)_/¯',
    spoiler: 'Ukrywa tekst, dopóki ktoś go nie kliknie',
    tableflip: 'Dodaje (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
