// Printed from locales/uk/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Голосове повідомлення',
  recording: 'Триває запис. Enter надішле його, Escape видалить.',
  discard: 'Видалити запис',
  keep: 'Зупинити й надіслати пізніше',
  send: 'Надіслати запис',
  over: 'Запис досяг максимальної довжини. Його долучено, але ще не надіслано.',
  noMicrophone: 'Мікрофона немає, або браузер блокує доступ до нього.',
  play: (name) => `Відтворити: ${name}`,
  pause: (name) => `Призупинити: ${name}`,
  position: (name) => `Місце в записі: ${name}`,
  of: ({ now, all }) => `${now} із ${all}`,
  rate: (rate) => `Швидкість: ${rate}`,
} satisfies typeof soundWords
