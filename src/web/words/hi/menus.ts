// Printed from locales/hi/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `${name} का मेन्यू`,
  write: 'संदेश भेजें',
  accept: 'मित्रता का अनुरोध स्वीकार करें',
  read: 'पढ़ा हुआ मार्क करें',
  notifications: 'सूचनाएँ…',
  copyLink: 'लिंक कॉपी करें',
  settings: 'सेटिंग…',
  events: 'आयोजन',
  hide: 'बातचीत छिपाएँ',
  deleteChannel: 'चैनल हटाएँ',
  deleteCategory: 'श्रेणी हटाएँ',
  moveTo: 'यहाँ ले जाएँ…',
  serverSettings: 'सर्वर की सेटिंग',
  leaveServer: 'सर्वर छोड़ें',
  leaveServerText: (name) => `${name} में लौटने के लिए नया आमंत्रण चाहिए होगा।`,
} satisfies typeof menuWords
