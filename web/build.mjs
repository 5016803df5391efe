// `node build.mjs` bundles the page into dist/; `node build.mjs test` bundles the unit tests into out/, `node build.mjs e2e` those that
// drive a browser. The same sources always give the same bytes: nothing of the clock, the machine or the directory goes in.
import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { writeLicenses } from "./licenses.mjs";

const common = {
  bundle: true,
  target: "es2022",
  logLevel: "warning",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
};

const [, , from] = process.argv;
if (from === "test" || from === "e2e") {
  rmSync("out", { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: readdirSync(from).filter((name) => /\.test\.tsx?$/.test(name)).map((name) => `${from}/${name}`),
    outdir: "out",
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    external: ["linkedom", "ws", "playwright-core", "axe-core"],
    sourcemap: "inline",
  });
} else {
  const entryPoints = [
    { in: "src/main.tsx", out: "app" },
    { in: "src/styles/style.css", out: "style" },
    // The layout of graphs takes long: it has a thread of its own.
    { in: "src/panels/layout.worker.ts", out: "layout" },
  ];
  const { metafile, outputFiles } = await build({
    ...common,
    write: false,
    entryPoints: entryPoints.filter((entry) => existsSync(entry.in)),
    outdir: "dist",
    platform: "browser",
    format: "iife",
    minify: true,
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  // Only what could be built takes the place of what is there.
  rmSync("dist", { recursive: true, force: true });
  mkdirSync("dist");
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  copyFileSync("src/index.html", "dist/index.html");
  copyFileSync("src/favicon.svg", "dist/favicon.svg");
  writeLicenses(metafile, "dist/licenses.txt");
}
