// Printed from locales/ar/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'إشعار كل الأعضاء',
  here: 'إشعار كل الأعضاء المتصلين',
  mayNot: 'ليست لديك صلاحية الإشارة إلى هذا. يبقى نصًا عاديًا',
  role: 'دور',
  people: 'أشخاص للإشارة إليهم',
  emoji: 'اقتراحات الرموز التعبيرية',
} satisfies typeof completionWords
