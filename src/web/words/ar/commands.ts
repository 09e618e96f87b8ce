// Printed from locales/ar/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'الأوامر',
  find: 'البحث عن أمر',
  nothing: 'لا توجد أوامر مطابقة.',
  none: 'ليس لدى أي بوت أمر لهذا.',
  by: (bot) => `من ${bot}`,
  use: (name) => `استخدام /${name}`,
  choose: 'اختر…',
  chooseBetween: ({ min, max }) => `اختر من ${min} إلى ${max}.`,
  yes: 'نعم',
  no: 'لا',
  send: 'إرسال',
  uploading: 'ما زال الملف قيد الرفع.',
  waiting: (bot) => `${bot} يفكر…`,
  silent: (bot) => `لم يستجب ${bot}.`,
  onlyYou: 'أنت وحدك ترى هذا',
  dismiss: 'تجاهل',
  answers: 'ردود البوتات التي تراها أنت وحدك',
  answering: ({ name, command }) => `استخدم ${name} الأمر /${command}`,
  answeringComponent: (name) => `طلب ${name} هذا`,
  texts: {
    me: 'يكتب ما تفعله بخط مائل',
    shrug: 'يضيف ¯\\_(ツ)_/¯',
    spoiler: 'يخفي النص حتى ينقر أحد عليه',
    tableflip: 'يضيف (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
