// Printed from locales/ru/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Входить в звонки с выключенным микрофоном',
  mode: 'Режим ввода',
  modes: {
    open: 'Всегда включён',
    voice: 'Активация по голосу',
    push: 'Режим рации',
  },
  key: 'Клавиша режима рации',
  keyText: 'Действует, пока эта страница в фокусе. Клавиши с буквами не действуют, пока вы печатаете.',
  press: 'Нажмите клавишу…',
  threshold: 'Чувствительность ввода',
  level: 'Уровень ввода',
  listen: 'Проверить микрофон',
  noise: 'Шумоподавление',
  noises: {
    off: 'Выключено',
    browser: 'Браузер',
    rnnoise: 'RNNoise (сильнее, больше нагружает процессор)',
  },
  echo: 'Подавление эха',
  gain: 'Автоматическая регулировка усиления',
  music: 'Режим музыки',
  musicText: 'Стерео 128 кбит/с, без обработки звука. Используйте наушники, иначе другие услышат эхо.',
  keys: 'Клавиши во время звонка',
  noKey: 'Нет',
  keysText: 'Нажмите клавишу, можно вместе с Ctrl, Alt или Shift. Backspace убирает её.',
} satisfies typeof talkWords
