// Printed from locales/hi/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'मित्र',
    pending_incoming: 'आपसे मित्रता चाहते हैं',
    pending_outgoing: 'अनुरोध भेजा गया',
    blocked: 'ब्लॉक किया गया',
  },
  tabs: {
    friends: 'मित्र',
    waiting: 'अनुरोध',
    blocked: 'ब्लॉक किए गए',
    find: 'लोग खोजें',
  },
  none: {
    friends: [
      'अभी कोई मित्र नहीं',
      'मित्र जोड़ें, ताकि आप देख सकें कि कौन ऑनलाइन है, उन्हें संदेश और कॉल कर सकें, और समूह बना सकें।',
    ],
    waiting: ['कोई लंबित अनुरोध नहीं', 'आपके भेजे और आपको मिले मित्रता के अनुरोध जवाब मिलने तक यहाँ दिखते हैं।'],
    blocked: [
      'किसी को ब्लॉक नहीं किया गया है',
      'जिन्हें आप ब्लॉक करते हैं, वे आपको संदेश या कॉल नहीं कर सकते। उन्हें सूचना नहीं दी जाती।',
    ],
  },
  nobody: 'कोई नहीं मिला',
  nobodyText: 'पूरा उपयोगकर्ता नाम, या दिखने वाले नाम का एक हिस्सा लिखें।',
  search: 'उपयोगकर्ता नाम या दिखने वाला नाम',
  searchHint: 'पूरा उपयोगकर्ता नाम, या दिखने वाले नाम का एक हिस्सा।',
  find: 'खोजें',
  add: 'मित्र जोड़ें',
  accept: 'स्वीकार करें',
  decline: 'अस्वीकार करें',
  cancel: 'अनुरोध रद्द करें',
  remove: 'मित्र हटाएँ',
  block: 'ब्लॉक करें',
  unblock: 'अनब्लॉक करें',
} satisfies typeof friendWords
