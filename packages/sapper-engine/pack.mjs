/** Copies the engine and the licence into the package, before npm packs it. */
import { cpSync, rmSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);

rmSync(here("engine"), { recursive: true, force: true });
cpSync(here("../../src/sapper/web/static/engine"), here("engine"), { recursive: true });
cpSync(here("../../LICENSE"), here("LICENSE"));
