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
  allowed: (n, all) => `مسموح ${n} من ${all}`,
  set: (n) => (n === 0 ? 'كما في المستوى الأعلى' : `ضُبط هنا ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'كما في الخادم: مسموح' : 'كما في الخادم: غير مسموح'),
  private: 'قناة خاصة',
  privateOn: 'لا يراها إلا المالك والمسؤولون والأدوار أدناه.',
  privateOff: 'يراها كل عضو.',
  privateHint: 'لا يراها إلا المالك والمسؤولون حتى تختار أدوارًا في إعداداتها.',
  whoSees: 'من يراها',
  noRoles: 'لا دور أدنى من دورك لتختاره.',
  choices: {
    deny: 'منع',
    inherit: 'كما في المستوى الأعلى',
    allow: 'سماح',
  },
} satisfies typeof permissionWords
