// Printed from locales/uk/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'Увійти як гість',
  name: 'Ваше ім’я',
  hint: 'На 24 години, без облікового запису. За цей час гостя можна перетворити на постійний обліковий запис.',
  keep: 'Зберегти обліковий запис',
  keepText:
    'Ви гість. Виберіть ім’я користувача та пароль, і цей обліковий запис залишиться вашим, з усім, що ви написали.',
  ends: (time) => `Інакше він закінчиться: ${time}.`,
} satisfies typeof guestWords
