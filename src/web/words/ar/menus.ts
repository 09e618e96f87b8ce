// Printed from locales/ar/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `قائمة ${name}`,
  write: 'إرسال رسالة',
  accept: 'قبول طلب الصداقة',
  read: 'تعليم كمقروء',
  notifications: 'الإشعارات…',
  copyLink: 'نسخ الرابط',
  settings: 'الإعدادات…',
  events: 'الفعاليات',
  hide: 'إخفاء المحادثة',
  deleteChannel: 'حذف القناة',
  deleteCategory: 'حذف الفئة',
  moveTo: 'النقل إلى…',
  serverSettings: 'إعدادات الخادم',
  leaveServer: 'مغادرة الخادم',
  leaveServerText: (name) => `ستحتاج إلى دعوة جديدة للعودة إلى ${name}.`,
} satisfies typeof menuWords
