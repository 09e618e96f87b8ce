import { standard } from '../support/harness.ts'
import { launchFirefox } from '../support/browser/firefox.ts'
import { stories } from '../support/browser/stories/stories.ts'
import { tellStories } from '../support/browser/stories/story.ts'
import { openBrowser } from '../support/browser/visitor.ts'

const parley = await standard()

tellStories(await openBrowser(launchFirefox), parley, stories)
