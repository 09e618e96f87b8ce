// Printed from locales/ar/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

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
    mark: 'تعليم كغير مقروء من هنا',
    since: (n) =>
      count(
        n,
        'لا إشارات غير مقروءة',
        'إشارة واحدة غير مقروءة',
        'إشارتان غير مقروءتين',
        '# إشارات غير مقروءة',
        '# إشارة غير مقروءة',
        '# إشارة غير مقروءة',
      ),
    toFirst: 'الانتقال إلى أول رسالة غير مقروءة',
    muted: 'مكتومة',
  },
  date: {
    jump: 'الانتقال إلى تاريخ',
  },
  completion: {
    everyone: 'إشعار كل الأعضاء',
    here: 'إشعار كل الأعضاء المتصلين',
    mayNot: 'ليست لديك صلاحية الإشارة إلى هذا. يبقى نصًا عاديًا',
    role: 'دور',
  },
} satisfies typeof notificationWords
