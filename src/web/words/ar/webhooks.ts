// Printed from locales/ar/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'عمليات الدمج',
  title: 'عناوين Webhook',
  hint: 'الـ Webhook عنوان URL يتيح لبرنامج آخر النشر في قناة: Grafana أو GitHub أو برنامج نصي من إعدادك.',
  name: 'اسم الـ Webhook',
  channel: 'القناة',
  make: 'Webhook جديد',
  none: 'لا Webhook بعد',
  noneText: 'أنشئ واحدًا والصق عنوانه في البرنامج الآخر.',
  madeBy: (name) => `من ${name}`,
  url: 'عنوان الـ Webhook',
  shownOnce: 'يُعرض هذا العنوان مرة واحدة فقط. من لديه هذا العنوان يمكنه النشر في القناة: احفظه ككلمة مرور.',
  suffixes: 'لصيغة Slack أضف إليه /slack، ولصيغة GitHub أضف /github.',
  edit: (name) => `تعديل ${name}`,
  close: 'إغلاق',
  rotate: 'إعادة تعيين العنوان',
  rotateText: 'يتوقف العنوان القديم عن العمل فورًا. تحتاج البرامج التي تستخدمه إلى الجديد.',
  delete: (name) => `حذف ${name}`,
  deleteText: 'لن تستطيع البرامج التي تستخدم عنوانه النشر بعد الآن. وتبقى رسائله.',
  mentions: 'يمكنه الإشارة إلى الجميع وإلى كل دور',
  problems: {
    too_many_webhooks: 'لهذه القناة 15 عنوان Webhook بالفعل.',
  },
} satisfies typeof webhookWords
