// Printed from locales/ar/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'التفاعلات',
    add: 'إضافة تفاعل',
    react: (emoji) => `التفاعل بـ ${emoji}`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, 'لا تفاعلات', 'تفاعل واحد', 'تفاعلان', '# تفاعلات', '# تفاعلًا', '# تفاعل')}${isMine ? '، منها تفاعلك' : ''}`,
    by: ({ names, emoji }) => `تفاعل بـ ${emoji}: ${listOf(names)}`,
    others: (n) => count(n, 'لا أحد غيرهم', 'شخص آخر', 'شخصان آخران', '# آخرون', '# آخرون', '# آخرون'),
    tooMany: 'على هذه الرسالة 20 تفاعلًا مختلفًا بالفعل.',
    refused: 'تعذر حفظ تفاعلك.',
    all: 'الكل',
  },
  pins: {
    title: 'الرسائل المثبتة',
    pin: 'تثبيت الرسالة',
    unpin: 'إلغاء تثبيت الرسالة',
    unpinText: 'تبقى الرسالة في مكانها.',
    pinned: 'مثبتة',
    show: 'عرضها',
    showAll: 'عرض كل الرسائل المثبتة',
  },
  emoji: {
    insert: 'إدراج رمز تعبيري',
    suggestions: 'اقتراحات الرموز التعبيرية',
    add: 'إضافة رمز تعبيري',
  },
} satisfies typeof emojiWords
