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
} satisfies typeof laterWords
