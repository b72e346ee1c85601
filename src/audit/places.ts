/** Whether this folder holds what others made: dependencies, caches, version control. It is looked at last. */
export function isSetAside(path: string): boolean {
  return /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|bower_components|__pycache__|\.git)$/.test(path);
}

/** Whether a file belongs to a dependency that lies in the folder, and not to the skill's own code. */
export function isDependency(path: string): boolean {
  return /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|bower_components)\//.test(path);
}

/** Whether a file is test material of the skill's own: cases, fixtures, examples of what is wrong. */
export function isTestMaterial(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|__fixtures__|fixtures?|testdata|test-data|specs?|evals?|mocks?|__mocks__)\//i.test(
      path,
    ) || /(?:^|\/)test_[^/]*\.py$|_test\.(?:py|go)$|\.(?:test|spec)\.[cm]?[jt]sx?$|\.eval\.json$/i.test(path)
  );
}
