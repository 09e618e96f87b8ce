// Printed from locales/ar/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `يمكن أن تحتوي الرسالة على 10 ملفات كحد أقصى. ${count(n, 'لم يُستبعد أي ملف', 'استُبعد ملف واحد', 'استُبعد ملفان', 'استُبعدت # ملفات', 'استُبعد # ملفًا', 'استُبعد # ملف')}.`,
  unnamed: 'ملف',
  interrupted: 'انقطع الرفع.',
  remove: (name) => `إزالة ${name}`,
  progress: (name) => `جارٍ رفع ${name}`,
  download: 'تنزيل',
  downloadOne: (name) => `تنزيل ${name}`,
  mark: (name) => `تعليم ${name} كمحتوى محجوب`,
  describe: (name) => `وصف ${name}`,
  description: 'ما الذي تعرضه',
  descriptionHint: 'يُقرأ بصوت عالٍ لمن لا يراها، ويجده البحث.',
} satisfies typeof fileWords
