// Printed from locales/ar/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'حالتك',
  choice: 'يرى الآخرون',
  about: {
    online: 'خامل بعد عشر دقائق دون نشاط',
    idle: 'خامل دائمًا',
    dnd: 'لا إشعارات ولا أصوات على أجهزتك',
    invisible: 'غير متصل. لا يعلم أحد أنك تكتب، ولا ينبّهك ‎@here.',
  },
  text: 'ماذا تفعل؟',
  emoji: 'اختر رمزًا تعبيريًا',
  noEmoji: (emoji) => `أزل ${emoji}`,
  ends: 'تنتهي',
  never: 'أبدًا',
  callers: 'أصدقاء ترن مكالماتهم رغم ذلك، 50 على الأكثر',
  seen: {
    title: 'سيراك الآخرون',
    text: 'أنت غير مرئي، لكن كل من يرى هذه المكالمة سيرى أنك فيها.',
    action: 'انضم إلى المكالمة',
  },
} satisfies typeof statusWords
