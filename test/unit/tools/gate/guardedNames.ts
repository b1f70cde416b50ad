/** Candidates for the lists of the guard, each as a path in a project: what another program would run, and what may hold a secret. */

const split = (names: string): readonly string[] => names.split(/\s+/u).filter((name) => name !== "");

export const executedCandidates = split(`
  .pre-commit-config.yaml .pre-commit-config.yml lefthook.yml lefthook-local.yml .lefthook.yml .lintstagedrc .lintstagedrc.json
  .lintstagedrc.mjs .githooks/pre-commit server.git/hooks/post-receive .gitconfig .hg/hgrc .git/config hooks/pre-push .husky/pre-commit
  tsconfig.json tsconfig.build.json packages/a/tsconfig.json jsconfig.json vite.config.ts vitest.config.mts webpack.config.js
  webpack.prod.js rollup.config.mjs esbuild.config.mjs babel.config.js .babelrc jest.config.js jest.setup.js eslint.config.mjs .eslintrc
  .eslintrc.js .eslintrc.json .prettierrc.js prettier.config.cjs .stylelintrc.cjs postcss.config.js tailwind.config.ts next.config.js
  nuxt.config.ts svelte.config.js astro.config.mjs gulpfile.js gulpfile.babel.js Gruntfile.js .mocharc.js .mocharc.yml karma.conf.js
  playwright.config.ts cypress.config.ts .yarnrc.yml .yarnrc .yarn/releases/yarn-4.cjs .yarn/plugins/p.cjs .pnpmfile.cjs .npmrc
  pnpm-workspace.yaml package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lockb bun.lock bunfig.toml deno.json deno.jsonc
  nx.json turbo.json lerna.json project.json angular.json binding.gyp .storybook/main.ts node_modules/a/index.js
  pyproject.toml setup.py setup.cfg conftest.py tests/conftest.py tox.ini noxfile.py sitecustomize.py usercustomize.py evil.pth
  notebook.ipynb requirements.txt requirements-dev.txt Pipfile poetry.lock uv.lock environment.yml pytest.ini manage.py .pdbrc
  .venv/bin/activate fabfile.py .pylintrc pip.conf
  Cargo.toml Cargo.lock build.rs .cargo/config.toml rust-toolchain rust-toolchain.toml go.mod go.sum go.work .golangci.yml Gemfile Gemfile.lock
  Rakefile tasks/db.rake sluice.gemspec .irbrc .rspec config.ru Guardfile Vagrantfile composer.json composer.lock phpunit.xml .htaccess artisan
  app.csproj app.fsproj app.vbproj app.vcxproj app.sln Directory.Build.props Directory.Build.targets Directory.Packages.props common.props
  custom.targets nuget.config NuGet.Config global.json launchSettings.json build.cake build.gradle build.gradle.kts settings.gradle
  gradle.properties gradlew gradlew.bat gradle/wrapper/gradle-wrapper.properties pom.xml mvnw mvnw.cmd .mvn/jvm.config .mvn/extensions.xml
  build.sbt build.xml Package.swift Package@swift-5.9.swift
  CMakeLists.txt CMakePresets.json toolchain.cmake rules.mk GNUmakefile Makefile Makefile.am Makefile.in makefile.win meson.build
  meson_options.txt BUILD.bazel BUILD WORKSPACE MODULE.bazel .bazelrc defs.bzl configure configure.ac autogen.sh Tiltfile Taskfile.yml
  Taskfile.dist.yaml justfile Justfile .justfile mise.toml .mise.toml .tool-versions flake.nix shell.nix default.nix Procfile Earthfile
  docker-compose.yml docker-compose.override.yaml compose.yaml compose.dev.yml Containerfile Dockerfile Dockerfile.dev api.dockerfile
  main.tf modules/net/main.tf terragrunt.hcl skaffold.yaml magefile.go
  .travis.yml .gitlab/ci/build.yml .gitlab-ci.yml azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .buildkite/pipeline.yml
  .gitea/workflows/a.yml .forgejo/workflows/a.yml .woodpecker.yml cloudbuild.yaml buildspec.yml action.yml action.yaml CODEOWNERS
  docs/CODEOWNERS .github/workflows/ci.yml .circleci/config.yml Jenkinsfile Jenkinsfile.release appveyor.yml netlify.toml renovate.json
  .cursorrules .clinerules .clinerules/rules.md .clinerules-code .windsurfrules .windsurf/rules/a.md .continue/config.yaml .aider.conf.yml
  .kiro/steering/a.md .gemini/settings.json .codex/config.toml .zed/tasks.json .roomodes .roo/mcp.json .cursor/mcp.json .claude/settings.json
  .junie/guidelines.md GEMINI.md AGENTS.md CLAUDE.md CLAUDE.local.md SKILL.md skills/a/SKILL.md copilot-instructions.md a.instructions.md
  a.prompt.md a.agent.md a.chatmode.md .mcp.json mcp.json .vs/tasks.vs.json .fleet/run.json .idea/workspace.xml .vscode/tasks.json
  .vscode/settings.json app.code-workspace .devcontainer/devcontainer.json .exrc .vimrc .nvim.lua .dir-locals.el .sublime-project/x.sublime-project
  .zprofile .zlogin .zshrc .zshenv .bash_aliases .bash_logout .bashrc .profile .envrc .ssh/rc .ssh/config .gdbinit .lldbinit
  evil.desktop Library/LaunchAgents/a.plist app.service app.timer a.vbs a.hta a.psm1 a.ps1 a.command a.sh a.fish a.bat a.cmd
  .gitattributes .gitmodules .latexmkrc eslint-local-rules.js eslint-local-rules/index.cjs
  docs/conf.py test_app.py tests/app_test.py lib/ruby_lsp/app/addon.rb lib/ruby_lsp/app/helper.rb filter_plugins/x.py library/module.py
  config/initializers/a.rb config/routes.rb routes/web.php app/Providers/AppServiceProvider.php project/Plugins.scala buildSrc/src/A.kt
  crates/my-macros/src/helper.rs serde_derive/src/de.rs scripts/plugin.js eslint-rules/rule.js
  AGENTS.override.md AGENTS.local.md CRUSH.local.md OpenCode.md AmazonQ.md IFLOW.md CODEBUDDY.md replit.md
  renv/activate.R startup.m dev/user.clj src/data_readers.cljc libfoo.so-gdb.py hatch_build.py
`);

export const secretCandidates = split(`
  .env .env.local prod.env .env.production terraform.tfvars prod.auto.tfvars prod.tfvars.json terraform.tfstate terraform.tfstate.backup
  credentials secret secrets .aws/credentials kubeconfig kubeconfig.yaml prod.kubeconfig .kube/config service-account.json
  service-account-prod.json firebase-adminsdk-x1.json my-firebase-adminsdk.json .vault-token .vault_pass .htpasswd .bash_history
  .zsh_history .python_history .psql_history wp-config.php local.settings.json appsettings.json appsettings.Production.json database.yml
  config/database.yml local.properties .m2/settings.xml auth.json .composer/auth.json .boto rclone.conf .dockercfg .docker/config.json
  .config/gh/hosts.yml AuthKey.p8 key.ppk client.ovpn backup.gpg private.asc deploy_rsa id_rsa id_ed25519 id_ed25519.pub token.json tokens.json
  password.txt passwords.txt .dev.vars .mcp.json _netrc .netrc .npmrc .pypirc .git-credentials .pgpass server.pem server.key cert.pfx store.jks
  store.p12 vault.kdbx client_secret.json credentials.json api_secrets.yml .azure/accessTokens.json .gnupg/secring.gpg .git/config
  .config/github-copilot/apps.json oauth_creds.json private-key.txt .vscode/sftp.json .ftpconfig
  mcp.json .cursor/mcp.json .continue/config.json .claude/settings.local.json .sentryclirc .netlify/state.json gcp-key.json stripe.json
  keys.txt htpasswd settings.xml .jupyter/jupyter_server_config.json .sluice/gateway/gateway.json
  .config/Code/User/globalStorage/publisher.extension/changes/blobs/0a1b
`);
