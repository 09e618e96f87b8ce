// Printed from locales/ru/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Войти как гость',
  name: 'Ваше имя',
  hint: 'На 24 часа, без аккаунта. За это время гостя можно превратить в постоянный аккаунт.',
  keep: 'Сохранить аккаунт',
  keepText: 'Вы гость. Выберите имя пользователя и пароль, и этот аккаунт останется вашим, со всем, что вы написали.',
  ends: (time) => `Иначе он закончится: ${time}.`,
} satisfies typeof guestWords
