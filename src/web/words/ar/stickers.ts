// Printed from locales/ar/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'الملصقات',
  emojiTab: 'الرموز التعبيرية',
  picturesTab: 'الصور',
  kinds: 'الأنواع',
  search: 'البحث في الملصقات',
  none: 'لا ملصقات مطابقة.',
  nothing: 'لا ملصقات يمكنك إرسالها هنا.',
  send: ({ name, alt }) => `إرسال الملصق ${name}: ${alt}`,
  gone: 'لم يعد هذا الملصق موجودًا.',
  hint: 'PNG أو APNG أو WebP أو GIF بحجم لا يتجاوز 512 KiB. تُصغَّر الصور الأكبر من 320 بكسل.',
  upload: 'رفع صورة',
  name: 'اسم الملصق',
  alt: 'الوصف',
  altHint: 'ما تُظهره الصورة، لمن لا يراها',
  space: ({ used, max }) => `تشغل صور هذا الخادم وأصواته ${used} من ${max}.`,
  edit: (name) => `تعديل ${name}`,
  delete: (name) => `حذف ${name}`,
  deleteText: 'لن يستطيع أحد إرساله بعد الآن. ويبقى ظاهرًا في الرسائل.',
  empty: 'لا ملصقات بعد',
  emptyText: 'ارفع صورة وسمّها وصِفها. يمكن لكل عضو إرسالها.',
  counted: ({ n, max }) => `${n} من ${max}`,
  problems: {
    too_many_stickers: 'في هذا الخادم 60 ملصقًا بالفعل. احذف واحدًا أولاً.',
    too_many_bytes: 'لا تترك صور هذا الخادم وأصواته متسعًا له. احذف ملصقًا أو رمزًا تعبيريًا أو صوتًا أولاً.',
  },
  pictures: {
    keep: 'الاحتفاظ بالصورة',
    kept: 'احتُفظ بالصورة. تجدها حيث تختار الرموز التعبيرية.',
    send: (name) => `إرسال ${name}`,
    remove: (name) => `إزالة ${name}`,
    none: 'لا صور بعد',
    noneText: 'افتح صورة في رسالة واختر «الاحتفاظ بالصورة». لا يرى ما تحتفظ به سواك.',
    problems: {
      too_many_favourites: 'تحتفظ بخمسين صورة بالفعل. أزل واحدة أولاً.',
      too_many_bytes: 'لم يبقَ لديك متسع لها.',
    },
  },
} satisfies typeof stickerWords
