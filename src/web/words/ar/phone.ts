import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'الأقسام',
  home: 'الرئيسية',
  servers: 'الخوادم',
  inbox: 'الوارد',
  you: 'أنت',
  noServers: 'لا توجد خوادم بعد',
  noServersText: 'أنشئ خادمًا، أو انضم إلى خادم عبر رابط دعوة.',
} satisfies typeof phoneWords
