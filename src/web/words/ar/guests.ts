// Printed from locales/ar/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'الانضمام كضيف',
  name: 'اسمك',
  hint: 'لمدة 24 ساعة، دون حساب. خلال هذه المدة يمكنك تحويله إلى حساب دائم.',
  keep: 'الاحتفاظ بهذا الحساب',
  keepText: 'أنت ضيف. اختر اسم مستخدم وكلمة مرور ليصبح هذا الحساب لك، مع كل ما كتبته.',
  ends: (time) => `وإلا فإنه ينتهي: ${time}.`,
} satisfies typeof guestWords
