// Bundle the scripts of the pages, and collect the licences of what is in the bundle.
import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = "../src/steelyard/service/pages/built";
const made = await build({
  entryPoints: ["pages.js"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  outfile: `${folder}/pages.js`,
  metafile: true,
});

const packages = new Set();
for (const path of Object.keys(made.metafile.inputs)) {
  const found = path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
const licences = [...packages].sort().map((name) => {
  const own = join("node_modules", name);
  const { version } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  const file = readdirSync(own).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version}\n\n${readFileSync(join(own, file), "utf8").trim()}\n`;
});
writeFileSync(`${folder}/licences.txt`, licences.join("\n" + "-".repeat(80) + "\n\n"));
