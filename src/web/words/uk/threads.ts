// Printed from locales/uk/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'Гілки',
    show: (isLively) => (isLively ? 'Гілки, є нові повідомлення' : 'Гілки'),
    begin: 'Почати гілку',
    open: 'Відкрити гілку',
    archived: 'В архіві',
    close: 'Закрити гілку',
    panel: (name) => `Гілка ${name}`,
    messages: (n) =>
      n === 0
        ? 'поки немає повідомлень'
        : count(n, '# повідомлення', '# повідомлення', '# повідомлень', '# повідомлення'),
    follow: 'Стежити',
    unfollow: 'Ви стежите',
    followHint: 'Її повідомлення вважаються непрочитаними',
    actions: 'Дії з гілкою',
    rename: 'Перейменувати',
    settings: 'Налаштування гілки',
    link: 'Скопіювати посилання на гілку',
    archive: 'Архівувати',
    bringBack: 'Повернути з архіву',
    lock: 'Замкнути',
    unlock: 'Відімкнути',
    locked: 'замкнена',
    lockedHint: 'Ця гілка замкнена.',
    archivedHint: 'Ця гілка в архіві. Нове повідомлення поверне її.',
    delete: 'Видалити гілку',
    deleteText: 'Гілку, її повідомлення та файли буде видалено для всіх.',
    answer: 'Позначити як відповідь',
    noAnswer: 'Більше не відповідь',
  },
} satisfies typeof threadWords
