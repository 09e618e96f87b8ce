// Printed from locales/uk/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Команди',
  find: 'Знайти команду',
  nothing: 'Відповідних команд немає.',
  none: 'Жоден бот не має команди для цього.',
  by: (bot) => `від ${bot}`,
  use: (name) => `Використати /${name}`,
  choose: 'Вибрати…',
  chooseBetween: ({ min, max }) => `Виберіть від ${min} до ${max}.`,
  yes: 'Так',
  no: 'Ні',
  send: 'Надіслати',
  uploading: 'Файл ще завантажується.',
  waiting: (bot) => `${bot} думає…`,
  silent: (bot) => `${bot} не відповідає.`,
  onlyYou: 'Це бачите лише ви',
  dismiss: 'Сховати',
  answers: 'Відповіді ботів, які бачите лише ви',
  answering: ({ name, command }) => `${name} використовує /${command}`,
  answeringComponent: (name) => `${name} запитує це`,
  texts: {
    me: 'Пише курсивом, що ви робите',
    shrug: 'Додає ¯\\_(ツ)_/¯',
    spoiler: 'Приховує текст, доки на нього не натиснуть',
    tableflip: 'Додає (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
