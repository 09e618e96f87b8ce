// Printed from locales/uk/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `У повідомленні може бути до 10 файлів. ${count(n, '# файл пропущено', '# файли пропущено', '# файлів пропущено', '# файла пропущено')}.`,
  unnamed: 'файл',
  interrupted: 'Завантаження перервано.',
  remove: (name) => `Прибрати ${name}`,
  progress: (name) => `Завантаження: ${name}`,
  download: 'Завантажити',
  downloadOne: (name) => `Завантажити ${name}`,
  mark: (name) => `Позначити ${name} як спойлер`,
  describe: (name) => `Описати ${name}`,
  description: 'Що на ньому зображено',
  descriptionHint: 'Читається вголос тим, хто його не бачить, і знаходиться пошуком.',
} satisfies typeof fileWords
