// Printed from locales/ar/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'الصفحات العامة',
  server: 'يمكن أن تكون قنوات هذا الخادم عامة',
  serverText: 'اختر قنوات ومنتديات بعينها في إعداداتها. من دون ذلك لا شيء عام.',
  indexed: 'يمكن لمحركات البحث عرضها',
  channel: 'يقرأ الجميع هذه القناة من دون حساب',
  channelText: 'لا تظهر رسائل الأعضاء المقيّدين ولا من انضموا خلال آخر 24 ساعة.',
  serverOff: 'اسمح أولًا بالصفحات العامة في إعدادات الخادم.',
  older: 'وكذلك ما كُتب من قبل',
  olderText: ({ people, messages }) => `من كتبوا هنا: ${people}. رسائلهم: ${messages}.`,
  open: 'فتح الصفحة العامة',
  here: 'يمكن للجميع قراءة ما يُكتب هنا من دون حساب.',
  name: 'تعرض الصفحات العامة اسمي',
  nameText: 'وإلا فإنها تسميك “A member”.',
} satisfies typeof publicWords
