// Printed from locales/ar/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'النقاشات',
    show: (isLively) => (isLively ? 'النقاشات، فيها رسائل جديدة' : 'النقاشات'),
    begin: 'بدء نقاش',
    open: 'فتح النقاش',
    archived: 'مؤرشفة',
    close: 'إغلاق النقاش',
    panel: (name) => `نقاش ${name}`,
    messages: (n) =>
      n === 0 ? 'لا رسائل بعد' : count(n, 'لا رسائل', 'رسالة واحدة', 'رسالتان', '# رسائل', '# رسالة', '# رسالة'),
    follow: 'متابعة',
    unfollow: 'تتابعه',
    followHint: 'تُحسب رسائله غير مقروءة',
    actions: 'إجراءات النقاش',
    rename: 'إعادة تسمية',
    settings: 'إعدادات النقاش',
    link: 'نسخ رابط النقاش',
    archive: 'أرشفة',
    bringBack: 'إلغاء الأرشفة',
    lock: 'قفل',
    unlock: 'فتح القفل',
    locked: 'مقفل',
    lockedHint: 'هذا النقاش مقفل.',
    archivedHint: 'هذا النقاش مؤرشف. أي رسالة جديدة تعيده.',
    delete: 'حذف النقاش',
    deleteText: 'يحذف هذا النقاش ورسائله وملفاته لدى الجميع.',
    answer: 'تحديد كإجابة',
    noAnswer: 'لم تعد الإجابة',
  },
} satisfies typeof threadWords
