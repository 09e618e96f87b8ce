// Printed from locales/uk/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  kind: 'Сцена',
  make: 'Нова сцена',
  listen: 'Слухати',
  start: 'Почати сцену',
  startNow: 'Почати',
  edit: 'Змінити тему',
  end: 'Завершити сцену',
  topic: 'Тема',
  noSpeakers: 'Поки що ніхто не виступає.',
  audience: (n) => count(n, '# слухач', '# слухачі', '# слухачів', '# слухача'),
  showAudience: 'Показати слухачів',
  others: (n) => `і ще ${digits(n)}`,
  raise: 'Підняти руку',
  lower: 'Опустити руку',
  place: (n) =>
    count(
      n,
      'перед вами # піднята рука',
      'перед вами # підняті руки',
      'перед вами # піднятих рук',
      'перед вами # піднятої руки',
    ),
  speak: 'Виступити',
  stepDown: 'Піти зі сцени',
  invited: 'Модератор запрошує вас виступити.',
  refuse: 'Ні, дякую',
  hands: 'Підняті руки',
  noHands: 'Піднятих рук немає.',
  letUp: (name) => `Надати слово: ${name}`,
  invite: (name) => `Запросити виступити: ${name}`,
  sendDown: (name) => `Повернути до слухачів: ${name}`,
  lowerHand: (name) => `Опустити руку: ${name}`,
  isInvited: 'Запрошення надіслано',
} satisfies typeof stageWords
