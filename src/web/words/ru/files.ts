// Printed from locales/ru/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `В сообщении может быть до 10 файлов. ${count(n, '# файл пропущен', '# файла пропущены', '# файлов пропущено', '# файла пропущено')}.`,
  unnamed: 'файл',
  interrupted: 'Загрузка прервана.',
  remove: (name) => `Убрать ${name}`,
  progress: (name) => `Загрузка: ${name}`,
  download: 'Скачать',
  downloadOne: (name) => `Скачать ${name}`,
  mark: (name) => `Отметить ${name} как спойлер`,
  describe: (name) => `Описать ${name}`,
  description: 'Что на ней изображено',
  descriptionHint: 'Читается вслух тем, кто её не видит, и находится поиском.',
} satisfies typeof fileWords
