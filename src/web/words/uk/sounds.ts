import type { soundWords } from '../sounds.ts'

export default {
  message: 'Голосове повідомлення',
  recording: 'Триває запис. Enter надішле його, Escape видалить.',
  discard: 'Видалити запис',
  keep: 'Зупинити й надіслати пізніше',
  send: 'Надіслати запис',
  over: 'Запис досяг найбільшої довжини. Його додано, але ще не надіслано.',
  noMicrophone: 'Мікрофона немає, або браузер не дозволяє цій сторінці його використовувати.',
  play: (name) => `Відтворити: ${name}`,
  pause: (name) => `Призупинити: ${name}`,
  position: (name) => `Місце в записі: ${name}`,
  of: (now, all) => `${now} з ${all}`,
  rate: (rate) => `Швидкість: ${rate}`,
} satisfies typeof soundWords
