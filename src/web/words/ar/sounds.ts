// Printed from locales/ar/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'رسالة صوتية',
  recording: 'جارٍ التسجيل. Enter يرسله وEscape يلغيه.',
  discard: 'إلغاء التسجيل',
  keep: 'إيقاف وإرسال لاحقًا',
  send: 'إرسال التسجيل',
  over: 'بلغ التسجيل أقصى مدة له. أُرفق ولكنه لم يُرسل بعد.',
  noMicrophone: 'لا يوجد ميكروفون، أو أن متصفحك يمنع الوصول إليه.',
  play: (name) => `تشغيل ${name}`,
  pause: (name) => `إيقاف ${name} مؤقتًا`,
  position: (name) => `الموضع في ${name}`,
  of: ({ now, all }) => `${now} من ${all}`,
  rate: (rate) => `السرعة: ${rate}`,
} satisfies typeof soundWords
