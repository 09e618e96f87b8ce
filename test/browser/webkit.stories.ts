import { standard } from '../support/harness.ts'
import { openDisplay } from '../support/browser/display.ts'
import { stories } from '../support/browser/stories/stories.ts'
import { tellStories } from '../support/browser/stories/story.ts'
import { openBrowser } from '../support/browser/visitor.ts'
import { launchWebkit } from '../support/browser/webkit.ts'

const parley = await standard()
const display = await openDisplay('1600x1200')
const browser = display === undefined ? undefined : await openBrowser(() => launchWebkit(display))

tellStories(browser, parley, stories)
