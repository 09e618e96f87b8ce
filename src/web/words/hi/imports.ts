// Printed from locales/hi/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'अपने संदेशों पर दावा करें',
  text: 'कहीं और से आयात किए गए संदेश अपनी फ़ाइलों और प्रतिक्रियाओं सहित आपके हो जाएँगे। भूमिकाएँ और अनुमतियाँ नहीं बदलेंगी। इसे वापस नहीं लिया जा सकता।',
  take: 'ये मेरे हैं',
  taken: 'कुछ मिनटों में ये संदेश आपके हो जाएँगे।',
  gone: 'लिंक समाप्त हो गया, पहले ही इस्तेमाल हो चुका, या किसी और खाते के लिए है।',
  go: 'जारी रखें',
} satisfies typeof importWords
