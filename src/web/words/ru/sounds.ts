// Printed from locales/ru/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Голосовое сообщение',
  recording: 'Идёт запись. Enter отправит её, Escape удалит.',
  discard: 'Удалить запись',
  keep: 'Остановить и отправить позже',
  send: 'Отправить запись',
  over: 'Запись достигла максимальной длины. Она прикреплена, но ещё не отправлена.',
  noMicrophone: 'Микрофона нет, или браузер блокирует доступ к нему.',
  play: (name) => `Воспроизвести: ${name}`,
  pause: (name) => `Приостановить: ${name}`,
  position: (name) => `Место в записи: ${name}`,
  of: ({ now, all }) => `${now} из ${all}`,
  rate: (rate) => `Скорость: ${rate}`,
} satisfies typeof soundWords
