import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'सामान्य',
    messages: 'संदेश',
    threads: 'थ्रेड',
    voice: 'वॉइस',
    people: 'लोग',
    server: 'सर्वर चलाना',
    administrator: 'सब कुछ',
  },
  allowed: (n, all) => `${all} में से ${n} की अनुमति`,
  set: (n) => (n === 0 ? 'जैसा ऊपर के स्तर पर' : `यहाँ ${n} तय`),
  inServer: (isAllowed) => (isAllowed ? 'जैसा सर्वर में: अनुमति है' : 'जैसा सर्वर में: अनुमति नहीं'),
  private: 'निजी चैनल',
  privateOn: 'इसे केवल मालिक, प्रशासक और नीचे की भूमिकाएँ देखती हैं।',
  privateOff: 'इसे हर सदस्य देखता है।',
  privateHint: 'जब तक आप इसकी सेटिंग में भूमिकाएँ न चुनें, इसे केवल मालिक और प्रशासक देखते हैं।',
  whoSees: 'इसे कौन देखता है',
  noRoles: 'चुनने के लिए आपकी भूमिका से नीचे कोई भूमिका नहीं।',
  choices: {
    deny: 'मना करें',
    inherit: 'जैसा ऊपर के स्तर पर',
    allow: 'अनुमति दें',
  },
} satisfies typeof permissionWords
