// Printed from locales/uk/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Гілки, є нові повідомлення' : 'Гілки'),
    open: 'Відкрити гілку',
    archived: 'В архіві',
    panel: (name) => `Гілка ${name}`,
    messages: (n) =>
      n === 0
        ? 'поки немає повідомлень'
        : count(n, '# повідомлення', '# повідомлення', '# повідомлень', '# повідомлення'),
    lockedHint: 'Ця гілка замкнена.',
  },
} satisfies typeof threadWords
