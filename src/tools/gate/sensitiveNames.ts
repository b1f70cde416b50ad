/** Files recognised by their names: those that may hold a secret, and those that a rule may cover. Paths have `/`; those of secrets may be absolute, the others are relative to a root. */
import { isExecutedPath } from "./executedNames";
import { compileNames, type NameKind, type NamesInFolder } from "./nameTable";

/** Combines the names with the endings of files that hold values, unlike source code about the same thing. */
function withData(stems: string): string {
  const endings = ["json", "json5", "y*ml", "toml", "ini", "txt", "csv", "xml", "properties", "plist"];
  return stems
    .split(" ")
    .flatMap((stem) => endings.map((ending) => `${stem}.${ending}`))
    .join(" ");
}

const secret: Readonly<Record<string, NameKind>> = {
  environments: {
    names: `.env* *.env *.env.local env.local env.production .dev.vars* .vars *.tfvars *.tfvars.json *.tfstate* .flaskenv local.settings.json
      appsettings*.json database.y*ml secrets.y*ml master.key credentials.y*ml.enc local.properties keystore.properties signing.properties
      gradle.properties wp-config*.php configuration.php settings.local.php parameters.y*ml application-*.properties application-*.y*ml .mcp.json
      mcp.json mcp.*.json *mcp_settings.json mcp-config.json .continue/config.* .claude/settings.local.json .claude.json`,
  },
  credentials: {
    names: `.npmrc .yarnrc* .netrc _netrc .pypirc .git-credentials .gitconfig .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd* htpasswd* .htdigest* .vault*
      vault-token .boto .sentryclirc .netlify/state.json stripe.json settings.xml jupyter_*_config.* gateway/gateway.json .s3cfg .rclone.conf rclone.conf .dockercfg .dockerconfigjson auth.json .m2/settings*.xml
      .composer/auth.json .cargo/credentials* .gem/credentials .terraformrc terraform.rc .pip/pip.conf .databrickscfg .snowsql/config
      .snowflake/connections.toml .esmtprc .msmtprc .fetchmailrc .smbcredentials .authinfo* .transifexrc .ngrok*
      kubeconfig* *.kubeconfig service-account*.json service_account*.json serviceaccount*.json *firebase-adminsdk* google-services.json
      googleservice-info.plist gcloud.json oauth*.json .condarc nuget.config .ftpconfig sftp*.json application_default_credentials.json client_secret*.json access_tokens.db *accesskeys*.csv`,
    folders: `.ssh .aws .azure .gnupg .kube .docker .git .config/gh .config/github-copilot .config/gcloud .config/op .config/rclone .config/hub .oci .bluemix .digitalocean
      .doctl .heroku globalstorage workspacestorage .password-store .1password keychains .vault secrets.d`,
  },
  keys: {
    names: `*.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.keystore *.bks *.kdbx *.kdb *.ovpn *.gpg *.pgp *.asc *.age *.jwk *.jwks *.pkcs12 *.keytab
      *.agekey *.cer.key *.mobileprovision *.wg id_rsa* id_dsa* id_ecdsa* id_ed25519* *_rsa *_dsa *_ecdsa *_ed25519 *.rsa ssh_host_*_key wg*.conf
      authorized_keys keys.txt keys.json keys.y*ml *-key.json *_key.json`,
  },
  namesThatSayIt: {
    names: `credential credentials secret secrets token tokens password passwords passwd shadow apikey apikeys api_key api_keys
      ${withData("*credential* *secret* token tokens *_token *-token *creds password passwords passwords-* passwords_* apikey* api_key* api-key* *apikeys* *api_keys*")}
      *.token *.secret *.secrets private_key* private-key* privatekey* api-key api-keys`,
  },
  histories: {
    names:
      "*_history .histfile .lesshst .viminfo .python_history .node_repl_history .psql_history consolehost_history.txt",
  },
  browsersAndWallets: {
    names:
      "cookies cookies.sqlite cookies.txt login*data logins.json key3.db key4.db wallet.dat *.wallet keystore.json",
  },
};

const secrets = compileNames(secret);
const unlisted = compileNames({ all: { folders: ".git .hg .svn node_modules" } });

/** Whether the file may hold keys or passwords. */
export const isSecretPath: (path: string) => boolean = secrets.has;

/** Whether the path is never listed for a model, even where git does not ignore it. */
export const isUnlistedPath: (inRoot: string) => boolean = unlisted.has;

/** The same tests for the entries of one folder, whose path is empty or ends with `/`. */
export const secretNamesIn: (folder: string) => NamesInFolder = secrets.in;
export const unlistedNamesIn: (folderInRoot: string) => NamesInFolder = unlisted.in;

const source = compileNames({
  scripts: { names: "*.js *.jsx *.mjs *.cjs *.ts *.tsx *.mts *.cts *.vue *.svelte *.astro *.coffee *.elm" },
  pages: { names: "*.html *.htm *.css *.scss *.sass *.less *.styl" },
  // Languages are left out whose servers run parts of a file to read it: Elixir, Haskell, Lisp, Nim, Perl.
  programs: {
    names: `*.py *.pyi *.rb *.php *.go *.rs *.c *.h *.cc *.hh *.cpp *.hpp *.cxx *.hxx *.m *.mm *.cs *.fs *.vb *.java *.kt *.scala *.swift
      *.dart *.erl *.ml *.mli *.clj *.cljs *.lua *.r *.jl *.zig *.d *.pas *.f90 *.sol *.glsl *.hlsl *.wgsl`,
  },
  descriptions: { names: "*.sql *.graphql *.gql *.proto *.thrift" },
  // TeX is left out, because editors build it as soon as it is saved.
  documents: { names: "*.md *.txt *.rst *.adoc *.bib *.csv *.tsv" },
}).has;
/** Names that begin with a dot are settings. */
const hidden = compileNames({ all: { names: ".*", folders: ".*" } }).has;

/** Whether it is source or a document by its extension, and nothing that a program runs or that may hold a secret. A rule for changes covers it. */
export function isPlainFile(inRoot: string): boolean {
  return source(inRoot) && ![isExecutedPath, isSecretPath, isUnlistedPath, hidden].some((concerns) => concerns(inRoot));
}
