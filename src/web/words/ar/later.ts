// Printed from locales/ar/later.json. After a change there: bun run words
import type { laterWords } from '../later.ts'

export default {
  at: 'في وقت آخر',
  saved: {
    title: 'المحفوظة',
    none: 'لا شيء محفوظ بعد',
    noneText: 'اختر «حفظ الرسالة» من قائمة الرسالة. أنت وحدك ترى ما تحفظه.',
    note: 'ملاحظة',
    noteText: 'أنت وحدك تراها.',
    remind: 'ذكّرني',
    set: 'ضبط التذكير',
    until: (time) => `تذكير ${time}`,
    since: (time) => `تذكير مستحق منذ ${time}`,
    clear: 'إزالة التذكير',
    done: 'تم',
    edit: 'الملاحظة والتذكير…',
    remove: 'إزالة من المحفوظة',
  },
  scheduled: {
    title: 'المجدولة',
    none: 'لا شيء مجدول',
    noneText: 'اكتب رسالة، واختر «إرسال لاحقًا» بدل إرسالها.',
    schedule: 'جدولة',
    at: (time) => `ستُرسل: ${time}`,
    edit: 'تعديل…',
    held: 'رسائلك المجدولة معلّقة لأن جلساتك أُنهيت أو استُعيدت نسخة احتياطية. راجعها ثم أكّدها.',
    isHeld: 'معلّقة حتى تؤكدها',
    confirm: 'تأكيد الكل',
    overdue: 'لم تُرسل: كان وقتها قد مضى.',
  },
} satisfies typeof laterWords
