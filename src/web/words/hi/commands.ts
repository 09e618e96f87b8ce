// Printed from locales/hi/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'कमांड',
  find: 'कमांड खोजें',
  nothing: 'कोई मेल खाता कमांड नहीं।',
  none: 'किसी बॉट के पास इसके लिए कमांड नहीं है।',
  by: (bot) => `${bot} से`,
  use: (name) => `/${name} इस्तेमाल करें`,
  choose: 'चुनें…',
  chooseBetween: ({ min, max }) => `${min} से ${max} तक चुनें।`,
  yes: 'हाँ',
  no: 'नहीं',
  send: 'भेजें',
  uploading: 'फ़ाइल अभी अपलोड हो रही है।',
  waiting: (bot) => `${bot} सोच रहा है…`,
  silent: (bot) => `${bot} ने जवाब नहीं दिया।`,
  onlyYou: 'यह केवल आपको दिखता है',
  dismiss: 'खारिज करें',
  answers: 'बॉट के जवाब जो केवल आपको दिखते हैं',
  answering: ({ name, command }) => `${name} ने /${command} इस्तेमाल किया`,
  answeringComponent: (name) => `${name} ने यह माँगा`,
  texts: {
    me: 'आप क्या कर रहे हैं, तिरछे अक्षरों में लिखता है',
    shrug: '¯\\_(ツ)_/¯ जोड़ता है',
    spoiler: 'पाठ को तब तक छिपाता है जब तक कोई उस पर क्लिक न करे',
    tableflip: '(╯°□°)╯︵ ┻━┻ जोड़ता है',
  },
} satisfies typeof commandWords
