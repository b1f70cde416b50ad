/** Files recognised by their names: those that may hold a secret and those that another program would run. Paths are relative to a root, with `/`. */

const secretNames =
  /(^|\/)(\.env[^/]*|\.npmrc|\.netrc|\.pypirc|\.git-credentials|\.pgpass|id_(rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx)|[^/]*(credential|secret)s?[^/]*\.(json|ya?ml|toml|ini|txt))$/i;
const secretFolders = /(^|\/)(\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.docker|\.git)(\/|$)/i;

export function isSecretPath(inRoot: string): boolean {
  return secretNames.test(inRoot) || secretFolders.test(inRoot);
}

const executedFolders =
  /(^|\/)(\.vscode|\.git|\.github|\.husky|\.devcontainer|\.idea|\.circleci|\.cursor|\.claude|\.roo|node_modules)(\/|$)/i;
const executedNames =
  /(^|\/)([^/]*\.code-workspace|package\.json|package-lock\.json|makefile|dockerfile|\.gitlab-ci\.yml|jenkinsfile|\.(bash|zsh)(rc|_profile|env)|\.profile|\.envrc|\.gitattributes|\.gitmodules|agents\.md|claude\.md|\.mcp\.json|mcp\.json|[^/]*\.(sh|bash|zsh|fish|ps1|bat|cmd))$/i;

/** An editor, a shell, git, CI or an agent would run it. */
export function isExecutedPath(inRoot: string): boolean {
  return executedFolders.test(inRoot) || executedNames.test(inRoot);
}

const unlistedFolders = /(^|\/)(\.git|\.hg|\.svn|node_modules)(\/|$)/i;

/** Never listed for a model, whether git ignores them or not. */
export function isUnlistedPath(inRoot: string): boolean {
  return unlistedFolders.test(inRoot);
}
