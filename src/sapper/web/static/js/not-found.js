/** The page for URLs that do not exist. */

import { startFrame } from "./frame/frame.js";
import { startSettings } from "./frame/settings.js";

startSettings();
startFrame();
