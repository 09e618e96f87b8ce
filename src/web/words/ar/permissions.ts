// Printed from locales/ar/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'عام',
    messages: 'الرسائل',
    threads: 'النقاشات',
    voice: 'الصوت',
    people: 'الأشخاص',
    server: 'إدارة الخادم',
    administrator: 'كل شيء',
  },
  allowed: ({ n, all }) => `مسموح ${n} من ${all}`,
  set: (n) => (n === 0 ? 'موروثة' : `ضُبط هنا ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'موروثة من الخادم: مسموح' : 'موروثة من الخادم: غير مسموح'),
  private: 'قناة خاصة',
  privateOn: 'لا يمكن لغير المالك والمسؤولين والأدوار أدناه رؤيتها.',
  privateOff: 'يمكن لكل عضو رؤيتها.',
  privateHint: 'لا يمكن لغير المالك والمسؤولين رؤيتها حتى تختار أدوارًا في إعداداتها.',
  whoSees: 'من يمكنه رؤيتها',
  noRoles: 'لا توجد أدوار أدنى من دورك للاختيار منها.',
  choices: {
    deny: 'منع',
    inherit: 'وراثة',
    allow: 'سماح',
  },
  moderatorsOnly: 'المشرفون وحدهم يكتبون',
  moderatorsOnlyText: 'يمكن للجميع القراءة، ويمكن للأدوار التي تدير الرسائل الكتابة.',
} satisfies typeof permissionWords
