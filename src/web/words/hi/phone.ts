// Printed from locales/hi/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'अनुभाग',
  home: 'होम',
  servers: 'सर्वर',
  inbox: 'इनबॉक्स',
  you: 'आप',
  noServers: 'अभी कोई सर्वर नहीं है',
  noServersText: 'एक बनाएँ, या आमंत्रण लिंक से किसी में शामिल हों।',
  toCall: (name) => `${name} की कॉल पर लौटें`,
  shrinkCall: 'कॉल छोटी करें',
} satisfies typeof phoneWords
