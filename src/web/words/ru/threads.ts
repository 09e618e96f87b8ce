// Printed from locales/ru/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'Ветки',
    show: (isLively) => (isLively ? 'Ветки, есть новые сообщения' : 'Ветки'),
    begin: 'Начать ветку',
    open: 'Открыть ветку',
    archived: 'В архиве',
    close: 'Закрыть ветку',
    panel: (name) => `Ветка ${name}`,
    messages: (n) =>
      n === 0 ? 'пока нет сообщений' : count(n, '# сообщение', '# сообщения', '# сообщений', '# сообщения'),
    follow: 'Следить',
    unfollow: 'Вы следите',
    followHint: 'Её сообщения считаются непрочитанными',
    actions: 'Действия с веткой',
    rename: 'Переименовать',
    settings: 'Настройки ветки',
    link: 'Скопировать ссылку на ветку',
    archive: 'Архивировать',
    bringBack: 'Вернуть из архива',
    lock: 'Закрыть на замок',
    unlock: 'Снять замок',
    locked: 'закрыта',
    lockedHint: 'Эта ветка закрыта.',
    archivedHint: 'Эта ветка в архиве. Новое сообщение вернёт её.',
    delete: 'Удалить ветку',
    deleteText: 'Ветка, её сообщения и файлы будут удалены для всех.',
    answer: 'Отметить как ответ',
    noAnswer: 'Больше не ответ',
  },
} satisfies typeof threadWords
