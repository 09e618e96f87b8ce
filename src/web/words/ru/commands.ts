// Printed from locales/ru/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Команды',
  find: 'Найти команду',
  nothing: 'Подходящих команд нет.',
  none: 'Ни у одного бота нет команды для этого.',
  by: (bot) => `от ${bot}`,
  use: (name) => `Использовать /${name}`,
  choose: 'Выбрать…',
  chooseBetween: ({ min, max }) => `Выберите от ${min} до ${max}.`,
  yes: 'Да',
  no: 'Нет',
  send: 'Отправить',
  uploading: 'Файл ещё загружается.',
  waiting: (bot) => `${bot} думает…`,
  silent: (bot) => `${bot} не отвечает.`,
  onlyYou: 'Это видите только вы',
  dismiss: 'Скрыть',
  answers: 'Ответы ботов, которые видите только вы',
  answering: ({ name, command }) => `${name} использует /${command}`,
  answeringComponent: (name) => `${name} запрашивает это`,
  texts: {
    me: 'Пишет курсивом, что вы делаете',
    shrug: 'Добавляет ¯\\_(ツ)_/¯',
    spoiler: 'Скрывает текст, пока на него не нажмут',
    tableflip: 'Добавляет (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
