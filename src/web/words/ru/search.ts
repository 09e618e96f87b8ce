// Printed from locales/ru/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Поиск',
  field: 'Поиск сообщений',
  hint: 'Слова, "фразы", -слова или фильтр',
  where: 'Где искать',
  everywhere: 'Везде',
  clear: 'Очистить поиск',
  searching: 'Идёт поиск…',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'Ничего не найдено.'
      : hasMore
        ? `${digits(n)} или больше сообщений`
        : count(n, '# сообщение', '# сообщения', '# сообщений', '# сообщения'),
  nothing: 'Сообщения не найдены',
  nothingText: 'Попробуйте меньше слов или другие слова, или ищите везде.',
  start: 'Сначала идут самые новые сообщения. Поиск идёт только по тому, что вы можете читать.',
  suggestions: 'Фильтры',
  jump: ({ author, place }) => `Перейти к сообщению от ${author} в ${place}`,
  twice: (filter) => `«${filter}» можно использовать только один раз.`,
  unknown: {
    from: (name) => `Здесь никого не зовут «${name}».`,
    mentions: (name) => `Здесь никого не зовут «${name}».`,
    in: (name) => `Нет канала «${name}», который вам виден.`,
    has: (name) => `Значение «${name}» не подходит. Используйте link, file, image или embed.`,
    pinned: (name) => `Значение «${name}» не подходит. Используйте true или false.`,
    before: (name) => `«${name}» — не дата. Пишите так: 2026-01-31.`,
    after: (name) => `«${name}» — не дата. Пишите так: 2026-01-31.`,
  },
  filters: {
    from: 'кто написал',
    in: 'в канале',
    has: 'link, file, image или embed',
    mentions: 'кого упоминает',
    before: 'до даты',
    after: 'в этот день или позже',
    pinned: 'true или false',
  },
} satisfies typeof searchWords
