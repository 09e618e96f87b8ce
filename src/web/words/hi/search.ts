// Printed from locales/hi/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'

export default {
  title: 'खोज',
  field: 'संदेश खोजें',
  hint: 'शब्द, "वाक्यांश", -शब्द, या फ़िल्टर',
  where: 'कहाँ खोजें',
  everywhere: 'हर जगह',
  clear: 'खोज साफ़ करें',
  searching: 'खोज रहे हैं…',
  found: ({ n, hasMore }) =>
    n === 0 ? 'कुछ नहीं मिला।' : hasMore ? `${digits(n)} या अधिक संदेश` : `${digits(n)} संदेश`,
  nothing: 'कोई संदेश नहीं मिला',
  nothingText: 'कम या दूसरे शब्द आज़माएँ, या हर जगह खोजें।',
  start: 'सबसे नए संदेश पहले दिखते हैं। केवल वही खोजा जाता है जो आप पढ़ सकते हैं।',
  suggestions: 'फ़िल्टर',
  jump: ({ author, place }) => `${place} में ${author} के संदेश पर जाएँ`,
  twice: (filter) => `“${filter}” केवल एक बार इस्तेमाल किया जा सकता है।`,
  unknown: {
    from: (name) => `यहाँ “${name}” नाम का कोई नहीं है।`,
    mentions: (name) => `यहाँ “${name}” नाम का कोई नहीं है।`,
    in: (name) => `“${name}” नाम का कोई चैनल आपको नहीं दिखता।`,
    has: (name) => `“${name}” के बजाय link, file, image या embed इस्तेमाल करें।`,
    pinned: (name) => `“${name}” के बजाय true या false इस्तेमाल करें।`,
    before: (name) => `“${name}” तारीख नहीं है। इसे 2026-01-31 की तरह लिखें।`,
    after: (name) => `“${name}” तारीख नहीं है। इसे 2026-01-31 की तरह लिखें।`,
  },
  filters: {
    from: 'किसी का भेजा हुआ',
    in: 'किसी चैनल में',
    has: 'link, file, image या embed',
    mentions: 'किसी का उल्लेख',
    before: 'किसी तारीख से पहले',
    after: 'किसी तारीख को या बाद में',
    pinned: 'true या false',
  },
} satisfies typeof searchWords
