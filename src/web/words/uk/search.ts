// Printed from locales/uk/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Пошук',
  field: 'Пошук повідомлень',
  hint: 'Слова, "фрази", -слова або фільтр',
  where: 'Де шукати',
  everywhere: 'Усюди',
  clear: 'Очистити пошук',
  searching: 'Триває пошук…',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'Нічого не знайдено.'
      : hasMore
        ? `${digits(n)} або більше повідомлень`
        : count(n, '# повідомлення', '# повідомлення', '# повідомлень', '# повідомлення'),
  nothing: 'Повідомлень не знайдено',
  nothingText: 'Спробуйте менше слів або інші слова, або шукайте всюди.',
  start: 'Спершу йдуть найновіші повідомлення. Пошук охоплює лише те, що ви можете читати.',
  suggestions: 'Фільтри',
  jump: ({ author, place }) => `Перейти до повідомлення від ${author} у ${place}`,
  twice: (filter) => `«${filter}» можна використати лише один раз.`,
  unknown: {
    from: (name) => `Тут нікого не звуть «${name}».`,
    mentions: (name) => `Тут нікого не звуть «${name}».`,
    in: (name) => `Немає каналу «${name}», який вам видно.`,
    has: (name) => `Значення «${name}» не підходить. Використайте link, file, image або embed.`,
    pinned: (name) => `Значення «${name}» не підходить. Використайте true або false.`,
    before: (name) => `«${name}» — не дата. Пишіть так: 2026-01-31.`,
    after: (name) => `«${name}» — не дата. Пишіть так: 2026-01-31.`,
  },
  filters: {
    from: 'хто написав',
    in: 'у каналі',
    has: 'link, file, image або embed',
    mentions: 'кого згадує',
    before: 'до дати',
    after: 'цього дня або пізніше',
    pinned: 'true або false',
  },
} satisfies typeof searchWords
