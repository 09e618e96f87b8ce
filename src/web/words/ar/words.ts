// Printed from locales/ar/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'
import { count } from './plural.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: 'الإعدادات',
  },
  conversations: 'المحادثات',
  search: {
    open: 'البحث في الرسائل',
  },
  sizes: ['بايت', 'ك.ب', 'م.ب', 'غ.ب'],
  loading: 'جارٍ التحميل…',
  unreachable: 'تعذر الوصول إلى الخادم. تُعاد المحاولة…',
  reconnecting: 'انقطع الاتصال. جارٍ إعادة الاتصال…',
  ended: 'لم تعد هذه النافذة متصلة. أعد تحميل الصفحة للمتابعة.',
  menuUnread: 'القنوات والخوادم، يوجد ما لم يُقرأ',
  skip: 'التخطي إلى الرسائل',
  menu: 'القنوات والخوادم',
  tools: 'المزيد عن هذا المكان',
  close: 'إغلاق',
  cancel: 'إلغاء',
  save: 'حفظ',
  saved: 'تم الحفظ',
  copy: 'نسخ',
  copied: 'تم النسخ',
  notLoaded: 'تعذر تحميل هذا الجزء من الصفحة. حاول مجددًا أو أعد تحميل الصفحة.',
  notCopied: 'لم يسمح متصفحك بالنسخ.',
  more: 'عرض المزيد',
  owner: 'المالك',
  bot: 'بوت',
  guest: 'ضيف',
  membersTitle: 'الأعضاء',
  members: (n) => count(n, 'لا أعضاء', 'عضو واحد', 'عضوان', '# أعضاء', '# عضوًا', '# عضو'),
  andMore: (n) => `و${digits(n)} آخرون`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}، رسائل غير مقروءة` : name) : `${name}، غير مقروء: ${badge(n)}`,
  draft: 'مسودة',
  withDraft: '، مسودة',
  failed: (reason) => `لم ينجح ذلك: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'الاسم أو كلمة المرور غير صحيحة.',
    rate_limited: 'محاولات كثيرة جدًا.',
    invite_gone: 'انتهت صلاحية هذه الدعوة أو استُنفدت. اطلب دعوة جديدة.',
    not_found: 'هذا غير موجود، أو ليس لك وصول إليه.',
    banned: 'أنت محظور من هذا الخادم.',
    storage_full: 'لم يبقَ في الخادم متسع لرسائل وملفات جديدة.',
    offline: 'تعذر الوصول إلى الخادم.',
  },
  rules,
} satisfies typeof words
