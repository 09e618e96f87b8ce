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
} satisfies typeof laterWords
