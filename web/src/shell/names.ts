/** What is wrong with a name for a file, if anything. */
export function objection(path: string): string | null {
  if (path === "") return "A file needs a name.";
  if (path.startsWith("/") || path.split("/").some((part) => part === "" || part === "." || part === "..")) return "The name is a path inside the directory, without `..`.";
  if (!/\.(pact|ispl|ccs|acts)$/.test(path)) return "The name ends in .pact, .ispl, .ccs or .acts.";
  return null;
}
