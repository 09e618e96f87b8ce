// Printed from locales/hi/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'सार्वजनिक पृष्ठ',
  server: 'इस सर्वर के चैनल सार्वजनिक हो सकते हैं',
  serverText: 'अलग-अलग चैनल और फ़ोरम उनकी सेटिंग में चुनें। उसके बिना कुछ भी सार्वजनिक नहीं है।',
  indexed: 'खोज इंजन उन्हें दिखा सकते हैं',
  channel: 'यह चैनल सब लोग बिना खाते के पढ़ते हैं',
  channelText: 'रोके गए सदस्यों और पिछले 24 घंटों में जुड़े सदस्यों के संदेश नहीं दिखते।',
  serverOff: 'पहले सर्वर की सेटिंग में सार्वजनिक पृष्ठों की अनुमति दें।',
  older: 'पहले लिखा हुआ भी',
  olderText: ({ people, messages }) => `यहाँ लिखने वाले लोग: ${people}। उनके संदेश: ${messages}।`,
  open: 'सार्वजनिक पृष्ठ खोलें',
  here: 'यहाँ लिखा हुआ सब लोग बिना खाते के पढ़ सकते हैं।',
  name: 'सार्वजनिक पृष्ठ मेरा नाम दिखाएँ',
  nameText: 'नहीं तो वे आपको “A member” कहते हैं।',
} satisfies typeof publicWords
