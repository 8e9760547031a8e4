// Builds dist/viewer.html: style, program and a place for the data in one file that loads nothing.
// The policy in it names the program by its hash, so nothing that is in the data can ever run.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const options = { bundle: true, minify: true, write: false, target: "es2021", charset: "utf8", legalComments: "none" };
const bundled = new Set();
const [script, style] = await Promise.all(
  ["main.ts", "style.css"].map(async (name) => {
    const result = await build({ ...options, metafile: true, format: "iife", entryPoints: [join(here, "src", name)] });
    for (const input of Object.keys(result.metafile.inputs)) {
      const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input);
      if (found) bundled.add(found[1]);
    }
    return result.outputFiles[0].text;
  }),
);
if (/<\/(script|style)/i.test(script + style)) throw new Error("the program would end its own element");

// The notices of what is bundled go with it, into every page.
const notice = readFileSync(join(here, "../NOTICE"), "utf8").split(/^=+\n/m)[1].trim();
for (const name of bundled)
  if (!notice.split(/[\s,]+/).includes(name)) throw new Error(`NOTICE does not name ${name}, which is in the page`);
if (/--|[<>]/.test(notice)) throw new Error("the notice would end its own comment");

const hash = createHash("sha256").update(script).digest("base64");
const page = readFileSync(join(here, "src/index.html"), "utf8")
  .replace("@POLICY@", `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`)
  .replace("@NOTICE@", () => notice)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script);
mkdirSync(join(here, "dist"), { recursive: true });
writeFileSync(join(here, "dist/viewer.html"), page);
