// Printed from locales/ar/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'النقاشات، فيها رسائل جديدة' : 'النقاشات'),
    open: 'فتح النقاش',
    archived: 'مؤرشفة',
    panel: (name) => `نقاش ${name}`,
    messages: (n) =>
      n === 0 ? 'لا رسائل بعد' : count(n, 'لا رسائل', 'رسالة واحدة', 'رسالتان', '# رسائل', '# رسالة', '# رسالة'),
    lockedHint: 'هذا النقاش مقفل.',
  },
} satisfies typeof threadWords
