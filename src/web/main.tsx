import { render } from 'preact'
import { loadWords } from './words/load.ts'
import { connectAccount, offlineStorage } from './state/session.ts'
import { App } from './ui/shell/app.tsx'
// Applies the chosen theme before anything is drawn.
import './ui/settings/theme.ts'

// Load the language first, so that the page does not start in English. Words that fail to load stay English.
void loadWords()
  .catch(() => {})
  .then(() => {
    const root = document.getElementById('app')
    if (root) render(<App />, root)
    void import('./ui/kit/keep-focus.ts').then(({ keepFocus }) => keepFocus()).catch(() => {})
  })
// Private windows of some browsers keep nothing.
offlineStorage.do = (task) => import('./device/snapshot.ts').then((device) => device[task]()).catch(() => {})
void connectAccount()
void offlineStorage.do('restoreUnlessAnswered')
