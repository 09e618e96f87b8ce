// Printed from locales/hi/later.json. After a change there: bun run words
import type { laterWords } from '../later.ts'

export default {
  at: 'किसी और समय',
  saved: {
    title: 'सहेजे गए',
    none: 'अभी कुछ सहेजा नहीं गया',
    noneText: 'किसी संदेश के मेनू में “संदेश सहेजें” चुनें। आपका सहेजा हुआ केवल आप देखते हैं।',
    note: 'नोट',
    noteText: 'इसे केवल आप देखते हैं।',
    remind: 'मुझे याद दिलाएँ',
    set: 'रिमाइंडर लगाएँ',
    until: (time) => `रिमाइंडर ${time}`,
    since: (time) => `रिमाइंडर, ${time} से बाकी`,
    clear: 'रिमाइंडर हटाएँ',
    done: 'हो गया',
    edit: 'नोट और रिमाइंडर…',
    remove: 'सहेजे गए से हटाएँ',
  },
  scheduled: {
    title: 'निर्धारित',
    none: 'कुछ निर्धारित नहीं है',
    noneText: 'संदेश लिखें और भेजने के बजाय “बाद में भेजें” चुनें।',
    schedule: 'निर्धारित करें',
    at: (time) => `भेजा जाएगा: ${time}`,
    edit: 'संपादित करें…',
    held: 'आपके निर्धारित संदेश रोके गए हैं, क्योंकि आपके सत्र समाप्त किए गए या बैकअप बहाल किया गया। उन्हें जाँचें, फिर पुष्टि करें।',
    isHeld: 'आपकी पुष्टि तक रोका गया',
    confirm: 'सभी की पुष्टि करें',
    overdue: 'नहीं भेजा गया: इसका समय बीत चुका था।',
  },
} satisfies typeof laterWords
