// Printed from locales/uk/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Розділи',
  home: 'Головна',
  servers: 'Сервери',
  inbox: 'Вхідні',
  you: 'Ви',
  noServers: 'Серверів поки немає',
  noServersText: 'Створіть сервер або приєднайтеся за посиланням-запрошенням.',
  toCall: (name) => `Повернутися до дзвінка в ${name}`,
  shrinkCall: 'Згорнути дзвінок',
} satisfies typeof phoneWords
