// Printed from locales/uk/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Входити в дзвінки з вимкненим мікрофоном',
  mode: 'Режим введення',
  modes: {
    open: 'Завжди ввімкнено',
    voice: 'Активація голосом',
    push: 'Режим рації',
  },
  key: 'Клавіша режиму рації',
  keyText: 'Діє, поки ця сторінка у фокусі. Клавіші з літерами не діють, поки ви друкуєте.',
  press: 'Натисніть клавішу…',
  threshold: 'Чутливість введення',
  level: 'Рівень введення',
  listen: 'Перевірити мікрофон',
  noise: 'Шумозаглушення',
  noises: {
    off: 'Вимкнено',
    browser: 'Браузер',
    rnnoise: 'RNNoise (сильніше, більше навантажує процесор)',
  },
  echo: 'Усунення відлуння',
  gain: 'Автоматичне регулювання підсилення',
  music: 'Режим музики',
  musicText: 'Стерео 128 кбіт/с, без обробки звуку. Користуйтеся навушниками, інакше інші почують відлуння.',
  keys: 'Клавіші під час дзвінка',
  noKey: 'Немає',
  keysText: 'Натисніть клавішу, можна разом із Ctrl, Alt чи Shift. Backspace прибирає її.',
} satisfies typeof talkWords
