// Printed from locales/ar/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'متصل',
    idle: 'خامل',
    dnd: 'عدم الإزعاج',
    invisible: 'غير مرئي',
    offline: 'غير متصل',
  },
  friends: {
    title: 'الأصدقاء',
  },
  profile: {
    open: 'الملف الشخصي',
  },
  deletedUser: 'حساب محذوف',
} satisfies typeof peopleWords
