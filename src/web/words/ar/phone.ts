// Printed from locales/ar/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'الأقسام',
  home: 'الرئيسية',
  servers: 'الخوادم',
  inbox: 'الوارد',
  you: 'أنت',
  noServers: 'لا توجد خوادم بعد',
  noServersText: 'أنشئ خادمًا، أو انضم إلى خادم عبر رابط دعوة.',
  toCall: (name) => `العودة إلى المكالمة في ${name}`,
  shrinkCall: 'تصغير المكالمة',
} satisfies typeof phoneWords
