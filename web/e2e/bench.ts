// One test of the workbench: a program, a page in Chromium, and at the end the question whether anything went wrong that nobody looked at.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { after, test } from "node:test";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from "playwright-core";
import { withPalette } from "./png";
import { serve, type Server } from "./server";

/** Long: the machine may be busy. What is waited for is a condition, so that quick machines are quick. */
export const PATIENCE = Number(process.env.SERVANDA_PATIENCE ?? 90_000);
const WHOLE = 600_000;

export type Theme = "light" | "dark";
export interface Options {
  files?: Record<string, string>;
  size?: { width: number; height: number };
  theme?: Theme;
  isTouched?: boolean;
}

export class Bench {
  /** What may go wrong in this test, since it is what the test is about. */
  readonly expected: RegExp[] = [];
  private readonly troubles: string[] = [];

  constructor(readonly server: Server, readonly context: BrowserContext, readonly page: Page) {
    this.watch(page);
  }

  /** Collects what must not happen in a page. */
  watch(page: Page): void {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.troubles.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.troubles.push(`error in the page: ${error.stack ?? error.message}`));
    page.on("requestfailed", (request) => this.troubles.push(`request failed: ${request.url()} ${request.failure()?.errorText ?? ""}`));
    page.on("response", (response) => {
      if (response.status() >= 400) this.troubles.push(`answer ${response.status()}: ${response.url()}`);
      if (!response.url().startsWith(this.server.origin) && /^http/.test(response.url())) this.troubles.push(`a foreign address was asked: ${response.url()}`);
    });
    page.on("crash", () => this.troubles.push("the page crashed"));
  }

  unexpected(): string[] {
    return this.troubles.filter((trouble) => !this.expected.some((pattern) => pattern.test(trouble)));
  }

  async go(address = this.server.address): Promise<void> {
    await this.page.goto(address);
    await this.isReady();
  }

  /** The files and the gallery are there. */
  async isReady(page = this.page): Promise<void> {
    await page.locator(".top .directory", { hasText: /./ }).waitFor({ state: "attached" });
    await page.locator(".side .entry").first().waitFor({ state: "attached" });
  }

  /** Opens a file or an example from the list at the side. */
  async open(name: string): Promise<void> {
    await this.page.getByRole("searchbox", { name: "Find a file or an example" }).fill(name);
    await this.page.locator(".side .entry").first().click();
    await this.editor().waitFor();
    await this.page.getByRole("searchbox", { name: "Find a file or an example" }).fill("");
  }

  /** What is typed into: the text in front. */
  editor(): Locator {
    return this.page.locator(".text-pane:not([hidden]) .cm-content");
  }

  /** A line of the text in front that contains these words. The editor has only those lines in the page that are seen: it is scrolled there. */
  async line(words: string): Promise<Locator> {
    const found = this.page.locator(".text-pane:not([hidden]) .cm-line", { hasText: words }).first();
    const scroller = this.page.locator(".text-pane:not([hidden]) .cm-scroller");
    await scroller.evaluate((element) => (element.scrollTop = 0));
    for (let until = Date.now() + PATIENCE; (await found.count()) === 0 && Date.now() < until;) {
      await scroller.evaluate((element) => new Promise((seen) => {
        const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
        element.scrollTop = isAtEnd ? 0 : element.scrollTop + element.clientHeight / 2;
        requestAnimationFrame(() => requestAnimationFrame(seen));
      }));
    }
    return found;
  }

  /** The language service has looked at the text, and says this about it. */
  async says(problems: string | RegExp): Promise<void> {
    await this.page.locator(".foot .problems", { hasText: problems }).waitFor({ state: "attached" });
  }

  /** Puts the cursor behind some words and types. */
  async typeBehind(words: string, text: string): Promise<void> {
    await (await this.line(words)).click();
    await this.page.keyboard.press("End");
    await this.page.keyboard.type(text);
  }

  async panel(title: string): Promise<Locator> {
    await this.page.getByRole("tab", { name: title, exact: true }).click();
    return this.page.getByRole("tabpanel", { name: title });
  }

  /** The row of a property in the panel Properties. */
  property(name: string): Locator {
    return this.page.locator("li.property").filter({ has: this.page.locator(".name", { hasText: new RegExp(`^${name.replace(/[[\]]/g, "\\$&")}$`) }) });
  }

  async checkAll(): Promise<void> {
    await this.panel("Properties");
    await this.page.getByRole("button", { name: "Check all" }).click();
    await this.page.locator(".bar .summary", { hasText: /\./ }).waitFor();
  }

  /** Draws the run that shows a verdict. */
  async chartOf(name: string): Promise<Locator> {
    await this.property(name).getByRole("button", { name: `Chart of ${name}` }).click();
    const steps = this.page.locator(".chart .steps");
    await steps.waitFor();
    return steps;
  }

  /** What a screen reader cannot make sense of, or what has too little contrast, in all of the page that is seen now. */
  async isAccessible(where: string): Promise<void> {
    await this.page.evaluate(axe.source);
    const found = await this.page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ["violations"] });
      return violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.slice(0, 4).map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary}`).join("\n")}`);
    });
    assert.deepEqual(found, [], `${where}: ${found.join("\n")}`);
  }

  /** A picture for the documentation, where pictures are wanted. */
  async picture(name: string): Promise<void> {
    if (!process.env.SERVANDA_PICTURES) return;
    mkdirSync("../docs/pictures", { recursive: true });
    // Where the test put its directory is of no interest.
    await this.page.evaluate(() => {
      const directory = document.querySelector(".top .directory");
      if (directory) directory.textContent = "protocols";
      for (const scrolled of document.querySelectorAll(".panel:not([hidden]), .panel:not([hidden]) > .pane")) scrolled.scrollTop = 0;
    });
    await this.page.mouse.move(0, 0);
    const picture = await this.page.screenshot({ caret: "hide", animations: "disabled" });
    writeFileSync(`../docs/pictures/${name}.png`, withPalette(picture));
  }
}

let browser: Promise<Browser> | undefined;

function browsing(): Promise<Browser> {
  const known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const executablePath = process.env.CHROMIUM ?? known.find((path) => existsSync(path));
  if (!executablePath) throw new Error(`There is no Chromium: none of ${known.join(", ")}; say where it is with CHROMIUM=..`);
  // In containers there is no sandbox for root, and little shared memory.
  browser ??= chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"], timeout: PATIENCE });
  return browser;
}

after(async () => (await browser)?.close());

/** A test with a program and a page of its own. */
export function workbench(name: string, options: Options, body: (bench: Bench) => Promise<void>): void {
  test(name, { timeout: WHOLE }, async () => {
    const server = await serve(options.files ?? {});
    try {
      const context = await visitor(server, options);
      const bench = new Bench(server, context, await context.newPage());
      try {
        await bench.go();
        await body(bench);
        assert.deepEqual(bench.unexpected(), []);
      } catch (error) {
        await show(bench, name, error);
        throw error;
      } finally {
        await context.close();
      }
    } finally {
      await server.stop();
    }
  });
}

/** Somebody with a browser, who knows nothing of the server yet. */
export async function visitor(server: Server, options: Options): Promise<BrowserContext> {
  const context = await (await browsing()).newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    colorScheme: options.theme ?? "light",
    reducedMotion: "reduce",
    ...(options.isTouched ? { hasTouch: true, isMobile: true } : {}),
  });
  context.setDefaultTimeout(PATIENCE);
  await reportPolicy(context);
  await takePageFrom(context, server);
  return context;
}

/** What the Content-Security-Policy forbids is an error, also where the browser keeps quiet. */
async function reportPolicy(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => console.error(`forbidden by the policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  });
}

/** To try a page that is not in the program yet: SERVANDA_PAGE=dist takes its files from there. */
async function takePageFrom(context: BrowserContext, server: Server): Promise<void> {
  const directory = process.env.SERVANDA_PAGE;
  if (!directory) return;
  for (const file of ["app.js", "style.css", "layout.js"]) {
    const type = file.endsWith("css") ? "text/css" : "text/javascript";
    await context.route(`${server.origin}/${file}`, (route) => route.fulfill({ body: readFileSync(join(directory, file)), contentType: type }));
  }
}

/** How the page looked when a test failed. */
async function show(bench: Bench, name: string, error: unknown): Promise<void> {
  const path = resolve("out/failed", `${basename(name).replace(/\W+/g, "-")}.png`);
  await bench.page.screenshot({ path, timeout: 10_000 }).catch(() => {});
  const unexpected = bench.unexpected();
  console.error(`${name} failed${unexpected.length > 0 ? `; in the page: ${unexpected.join("\n")}` : ""}\nsee ${path}\n${error instanceof Error ? error.message : String(error)}`);
}
