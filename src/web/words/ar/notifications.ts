// Printed from locales/ar/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: 'الإشعارات',
    of: (name) => `إشعارات ${name}`,
  },
  inbox: {
    open: 'عرض الوارد',
    reminder: 'تذكير برسالة محفوظة',
  },
  unread: {
    muted: 'مكتومة',
  },
  date: {
    jump: 'الانتقال إلى تاريخ',
  },
} satisfies typeof notificationWords
