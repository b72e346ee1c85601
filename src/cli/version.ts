export { packageFolder, packageVersion } from "../base/own-package.ts";
