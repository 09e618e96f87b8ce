// Printed from locales/ar/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'الخوادم',
    add: 'إضافة خادم',
    name: 'اسم الخادم',
    viewedAs: (role) => (role === undefined ? 'ترى الخادم الآن كعضو بلا أدوار.' : `ترى الخادم الآن بدور ${role}.`),
    stopViewing: 'إيقاف',
    gone: (name) => `حُذف ${name}.`,
  },
  channels: {
    browse: 'تصفّح القنوات',
    list: 'القنوات',
    private: '، خاصة',
    text: 'نصية',
    voice: 'صوتية',
    none: 'لا شيء هنا بعد',
    noneText: 'لا تتيح لك أدوارك رؤية أي قناة. يمكن لأحد مشرفي الخادم تغيير ذلك.',
    noneToMake: 'تجري المحادثات في القنوات. أنشئ أول قناة.',
    addTopic: 'إضافة موضوع',
    outside: 'بلا فئة',
    moved: ({ name, place, category }) =>
      category === undefined ? `ترتيب ${name} الآن ${place}.` : `ترتيب ${name} الآن ${place} في ${category}.`,
    moveHint: 'اضغط Alt مع أحد مفاتيح الأسهم لنقلها.',
    addTo: (name) => `قناة جديدة في ${name}`,
    make: {
      text: 'قناة نصية جديدة',
      voice: 'قناة صوتية جديدة',
      category: 'فئة جديدة',
    },
    settings: (name) => `إعدادات ${name}`,
    taken: ({ n, limit }) => `${digits(n)} من ${digits(limit)} أشخاص`,
  },
  invite: {
    people: 'دعوة أشخاص',
  },
} satisfies typeof serverWords
