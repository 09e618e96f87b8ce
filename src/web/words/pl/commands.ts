import type { commandWords } from '../commands.ts'

export default {
  title: 'Polecenia',
  find: 'Znajdź polecenie',
  nothing: 'Nie ma polecenia o tej nazwie.',
  none: 'Żaden bot nic do tego nie oferuje.',
  by: (bot) => `od ${bot}`,
  use: (name) => `Użyj /${name}`,
  choose: 'Wybierz…',
  yes: 'Tak',
  no: 'Nie',
  send: 'Wyślij',
  uploading: 'Plik jest jeszcze przesyłany.',
  waiting: (bot) => `${bot} myśli…`,
  silent: (bot) => `${bot} nie odpowiada.`,
  onlyYou: 'Tylko ty to widzisz',
  dismiss: 'Odrzuć',
  answers: 'Odpowiedzi botów dla ciebie',
  answering: (name, command) => `${name} używa /${command}`,
  answeringComponent: (name) => `${name} prosi o to`,
} satisfies typeof commandWords
