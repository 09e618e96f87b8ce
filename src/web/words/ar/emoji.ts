import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'التفاعلات',
    add: 'إضافة تفاعل',
    react: (emoji) => `التفاعل بـ ${emoji}`,
    one: (emoji, n, mine) => {
      const many = count(n, 'لا تفاعلات', 'تفاعل واحد', 'تفاعلان', '# تفاعلات', '# تفاعلًا', '# تفاعل')
      return `${emoji}: ${many}${mine ? '، أحدها منك' : ''}`
    },
    by: (names, more, emoji) => {
      const many = count(more, 'لا أحد غيرهم', 'شخص آخر', 'شخصان آخران', '# آخرون', '# آخرون', '# آخرون')
      return `تفاعل بـ ${emoji}: ${listOf(more > 0 ? [...names, many] : names)}`
    },
    tooMany: 'على هذه الرسالة عشرون تفاعلًا مختلفًا بالفعل.',
    refused: 'لم ينجح هذا التفاعل.',
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
    suggestions: 'رموز تعبيرية للإدراج',
    add: 'إضافة رمز تعبيري',
  },
} satisfies typeof emojiWords
