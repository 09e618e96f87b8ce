// Printed from locales/hi/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'सामान्य',
    messages: 'संदेश',
    threads: 'थ्रेड',
    voice: 'वॉइस',
    people: 'लोग',
    server: 'सर्वर प्रबंधन',
    administrator: 'सब कुछ',
  },
  allowed: ({ n, all }) => `${all} में से ${n} की अनुमति`,
  set: (n) => (n === 0 ? 'इनहेरिट की गई' : `यहाँ ${n} तय`),
  inServer: (isAllowed) => (isAllowed ? 'सर्वर से इनहेरिट की गई: अनुमति है' : 'सर्वर से इनहेरिट की गई: अनुमति नहीं'),
  private: 'निजी चैनल',
  privateOn: 'इसे केवल मालिक, प्रशासक और नीचे की भूमिकाओं वाले सदस्य देख सकते हैं।',
  privateOff: 'इसे हर सदस्य देख सकता है।',
  privateHint: 'जब तक आप इसकी सेटिंग में भूमिकाएँ न चुनें, इसे केवल मालिक और प्रशासक देख सकते हैं।',
  whoSees: 'इसे कौन देख सकता है',
  noRoles: 'चुनने के लिए आपकी भूमिका से नीचे कोई भूमिका नहीं है।',
  choices: {
    deny: 'मना करें',
    inherit: 'इनहेरिट करें',
    allow: 'अनुमति दें',
  },
  moderatorsOnly: 'केवल मॉडरेटर लिखते हैं',
  moderatorsOnlyText: 'सब पढ़ सकते हैं; संदेश प्रबंधित करने वाली भूमिकाएँ लिख सकती हैं।',
} satisfies typeof permissionWords
