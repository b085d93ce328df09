/**
 * The same with the search.
 */

export {
  __wbg_reset_state,
  Analyser,
  dealNoGuess,
  Failure,
  GameTerms,
  initSync,
  liveBytes,
  playPerfectly,
  Round,
  SearchPlayer,
  Shape,
  substream,
} from "./sapper_search.js";
