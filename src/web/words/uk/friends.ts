// Printed from locales/uk/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'Друг',
    pending_incoming: 'хоче дружити з вами',
    pending_outgoing: 'Запит надіслано',
    blocked: 'Заблоковано',
  },
  tabs: {
    friends: 'Друзі',
    waiting: 'Запити',
    blocked: 'Заблоковані',
    find: 'Знайти людей',
  },
  none: {
    friends: ['Поки немає друзів', 'Додайте друзів, щоб бачити, хто в мережі, писати їм, дзвонити й створювати групи.'],
    waiting: [
      'Немає запитів в очікуванні',
      'Тут з’являються надіслані та отримані запити в друзі, доки на них не відповідять.',
    ],
    blocked: [
      'Нікого не заблоковано',
      'Ті, кого ви заблокуєте, не зможуть вам писати й дзвонити. Сповіщення про це вони не отримають.',
    ],
  },
  nobody: 'Нікого не знайдено',
  nobodyText: 'Введіть ім’я користувача повністю або частину показуваного імені.',
  search: 'Ім’я користувача або показуване ім’я',
  searchHint: 'Ім’я користувача повністю або частина показуваного імені.',
  find: 'Знайти',
  add: 'Додати в друзі',
  accept: 'Прийняти',
  decline: 'Відхилити',
  cancel: 'Скасувати запит',
  remove: 'Вилучити з друзів',
  block: 'Заблокувати',
  unblock: 'Розблокувати',
} satisfies typeof friendWords
