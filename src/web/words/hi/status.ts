// Printed from locales/hi/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'आपकी स्थिति',
  choice: 'दूसरे देखते हैं',
  about: {
    online: 'दस मिनट तक कोई गतिविधि न होने पर निष्क्रिय',
    idle: 'हमेशा निष्क्रिय',
    dnd: 'आपके डिवाइस पर न सूचनाएँ, न आवाज़ें',
    invisible: 'ऑफ़लाइन। किसी को पता नहीं चलता कि आप लिख रहे हैं, और @here आपको सूचित नहीं करता।',
  },
  text: 'आप क्या कर रहे हैं?',
  emoji: 'इमोजी चुनें',
  noEmoji: (emoji) => `${emoji} हटाएँ`,
  ends: 'समाप्ति',
  never: 'कभी नहीं',
  callers: 'दोस्त जिनकी कॉल फिर भी बजती हैं, अधिकतम 50',
  seen: {
    title: 'दूसरे आपको देखेंगे',
    text: 'आप अदृश्य हैं, लेकिन जो भी यह कॉल देखता है, वह देखेगा कि आप इसमें हैं।',
    action: 'कॉल में शामिल हों',
  },
} satisfies typeof statusWords
