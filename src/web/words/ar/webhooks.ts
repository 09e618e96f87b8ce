import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'عمليات الدمج',
  title: 'عناوين Webhook',
  hint: 'الـ Webhook عنوان URL يكتب به برنامج آخر في قناة: Grafana أو GitHub أو نص برمجي لك.',
  name: 'اسم الـ Webhook',
  channel: 'القناة',
  make: 'Webhook جديد',
  none: 'لا Webhook بعد',
  noneText: 'أنشئ واحدًا والصق عنوانه في البرنامج الآخر.',
  madeBy: (name) => `من ${name}`,
  url: 'عنوان الـ Webhook',
  shownOnce: 'يُعرض هذا العنوان مرة واحدة. من يملكه يمكنه الكتابة في القناة: احفظه ككلمة مرور.',
  suffixes: 'لصيغة Slack أضف /slack إليه، ولصيغة GitHub أضف /github.',
  edit: (name) => `تغيير ${name}`,
  close: 'إغلاق',
  rotate: 'تجديد العنوان',
  rotateText: 'يتوقف العنوان السابق فورًا. تحتاج البرامج التي تستخدمه إلى الجديد.',
  delete: (name) => `حذف ${name}`,
  deleteText: 'لن تستطيع البرامج التي تستخدم عنوانه الكتابة. ويبقى ما كتبه.',
  mentions: 'يمكنه الإشارة إلى الجميع وإلى كل دور',
  problems: {
    too_many_webhooks: 'لهذه القناة 15 عنوان Webhook بالفعل.',
  },
} satisfies typeof webhookWords
