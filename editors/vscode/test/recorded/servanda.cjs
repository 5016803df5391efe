#!/usr/bin/env node
// Stands for the program where tests must run without it: it says what the program was recorded to say.
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const [command, ...rest] = process.argv.slice(2);
const HELP = "  NUMBER   take the transition of this number\n  a [N]    take N random steps (any)\n  q        quit\n";
const PLACES = [
  "0: in idle, paid = false, delivered = false\n  [1] Cr(Cus, request)\n",
  "1: in requested, paid = false, delivered = false\n  [1] Ref(Mer, request)\n  [2] Ac(Mer, request)\n",
];
if (command === "explain" && rest.includes("always_compliant")) process.stdout.write(readFileSync(`${__dirname}/netbill.html`));
else if (command === "explain") {
  process.stderr.write("error: there is no property of this name\n");
  process.exitCode = 2;
} else if (command === "check") process.stdout.write("1 property: as expected\n");
else if (command === "sleep") setTimeout(() => undefined, 60000);
else if (command === "shout") for (let i = 0; i < 1000; i += 1) process.stdout.write("x".repeat(1000));
else if (command === "sim") {
  let at = 0;
  process.stdout.write(`netbill.pact: NetBill; h lists the commands\n  request = SC(Cus, Mer, F paid)\n${PLACES[0]}`);
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (line === "h") process.stdout.write(HELP);
    else if (line === "s") process.stdout.write(PLACES[at]);
    else if (line === "t") process.stdout.write(at ? "  1: Cr(Cus, request)\n" : "no step was taken\n");
    else if (line === "1" && at === 0) {
      at = 1;
      process.stdout.write("1: Cr(Cus, request)\n  in requested (was idle)\n  + request\n  [1] Ref(Mer, request)\n  [2] Ac(Mer, request)\n");
    } else if (line === "crash") process.exit(1);
    else process.stdout.write(`there is no transition ${line} here\n`);
  });
}
