// Bundles web/src into web/built: hashed assets, an index that names them, a service worker that knows them all.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const source = join(root, "web/src");
const target = process.argv[2];
const nodePaths = [join(root, "dev/node/node_modules")];
const BROWSERS = ["chrome100", "firefox110", "safari15.4"];

const hash = (content) => createHash("sha256").update(content).digest("hex").slice(0, 10);
// lit-html's templates are the page's text: spaces between tags say nothing.
const trimmed = {
  name: "trim-templates",
  setup: ({ onLoad }) =>
    onLoad({ filter: /web\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/\n\s+/g, "\n "),
      loader: "ts",
    })),
};

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: BROWSERS,
    charset: "utf8",
    legalComments: "none",
    nodePaths,
    plugins: [trimmed],
  });
  return outputFiles[0].text;
}

rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "assets"), { recursive: true });
const [js, css] = [await bundle("main.ts"), await bundle("style.css")];
const names = { js: `main-${hash(js)}.js`, css: `style-${hash(css)}.css` };
writeFileSync(join(target, "assets", names.js), js);
writeFileSync(join(target, "assets", names.css), css);
const index = readFileSync(join(source, "index.html"), "utf8")
  .replace(/\{\{(\w+)\}\}/g, (_, name) => names[name])
  .replace(/>\s+</g, "><");
writeFileSync(join(target, "index.html"), index);
cpSync(join(root, "web/public"), target, { recursive: true });
const files = ["/", `/assets/${names.js}`, `/assets/${names.css}`, "/icon.svg", "/manifest.webmanifest"];
const banner = `self.FILES = ${JSON.stringify(files)}; self.VERSION = "${hash(index + js + css)}";\n`;
writeFileSync(join(target, "sw.js"), banner + readFileSync(join(source, "sw.js"), "utf8"));
