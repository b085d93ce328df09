/**
 * The part of the compiled module's JavaScript that the engine uses; see build.py.
 */

export {
  __wbg_reset_state,
  Analyser,
  dealNoGuess,
  Failure,
  GameTerms,
  initSync,
  liveBytes,
  Round,
  Shape,
  substream,
} from "./sapper_exact.js";
