// Printed from locales/ru/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Ветки, есть новые сообщения' : 'Ветки'),
    open: 'Открыть ветку',
    archived: 'В архиве',
    panel: (name) => `Ветка ${name}`,
    messages: (n) =>
      n === 0 ? 'пока нет сообщений' : count(n, '# сообщение', '# сообщения', '# сообщений', '# сообщения'),
    lockedHint: 'Эта ветка закрыта.',
  },
} satisfies typeof threadWords
