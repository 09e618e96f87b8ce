import type { commandWords } from '../commands.ts'

export default {
  title: 'कमांड',
  find: 'कमांड खोजें',
  nothing: 'इस नाम का कोई कमांड नहीं।',
  none: 'कोई बॉट इसके लिए कुछ नहीं देता।',
  by: (bot) => `${bot} से`,
  use: (name) => `/${name} इस्तेमाल करें`,
  choose: 'चुनें…',
  yes: 'हाँ',
  no: 'नहीं',
  send: 'भेजें',
  uploading: 'फ़ाइल अभी अपलोड हो रही है।',
  waiting: (bot) => `${bot} सोच रहा है…`,
  silent: (bot) => `${bot} ने जवाब नहीं दिया।`,
  onlyYou: 'यह केवल आपको दिखता है',
  dismiss: 'हटाएँ',
  answers: 'आपके लिए बॉट के जवाब',
  answering: (name, command) => `${name} ने /${command} इस्तेमाल किया`,
  answeringComponent: (name) => `${name} ने यह माँगा`,
} satisfies typeof commandWords
