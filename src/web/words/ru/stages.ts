// Printed from locales/ru/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  kind: 'Сцена',
  make: 'Новая сцена',
  listen: 'Слушать',
  start: 'Начать сцену',
  startNow: 'Начать',
  edit: 'Изменить тему',
  end: 'Завершить сцену',
  topic: 'Тема',
  noSpeakers: 'Пока никто не выступает.',
  audience: (n) => count(n, '# слушатель', '# слушателя', '# слушателей', '# слушателя'),
  showAudience: 'Показать слушателей',
  others: (n) => `и ещё ${digits(n)}`,
  raise: 'Поднять руку',
  lower: 'Опустить руку',
  place: (n) =>
    count(
      n,
      'перед вами # поднятая рука',
      'перед вами # поднятые руки',
      'перед вами # поднятых рук',
      'перед вами # поднятой руки',
    ),
  speak: 'Выступить',
  stepDown: 'Уйти со сцены',
  invited: 'Модератор приглашает вас выступить.',
  refuse: 'Нет, спасибо',
  hands: 'Поднятые руки',
  noHands: 'Поднятых рук нет.',
  letUp: (name) => `Дать слово: ${name}`,
  invite: (name) => `Пригласить выступить: ${name}`,
  sendDown: (name) => `Вернуть к слушателям: ${name}`,
  lowerHand: (name) => `Опустить руку: ${name}`,
  isInvited: 'Приглашение отправлено',
} satisfies typeof stageWords
