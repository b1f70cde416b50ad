/**
 * The programs that a longer yes may cover, as usage lines (A3): their words, then the only options they may have. What is not
 * in the table asks. No option here names a program, a module from elsewhere, a host, an upload or a file to write; an option
 * of a program that can do so is left out. See `usageLines.ts` for how a line is read.
 */

/** Lines, and the words that may start each of their programs. */
export interface UsageGroup {
  readonly launchers: readonly string[];
  /** Not even the common options are known. */
  readonly isBare?: true;
  readonly lines: string;
}

/** These options are known to every program: they print more, less, or what the program is. */
export const commonOptions = "-v -vv -vvv -q -h --verbose --quiet --version --help";

const vitest = `--run --bail --bail=<number> --changed --coverage --globals --isolate --no-isolate --no-color --no-watch --watch==false --no-file-parallelism
  --passWithNoTests --silent --typecheck --update -u --logHeapUsage --reporter=default|verbose|dot|json|tap|junit|basic|tree
  --environment=node|jsdom|happy-dom --pool=threads|forks|vmThreads --maxWorkers|--minWorkers|--retry|--testTimeout|--hookTimeout=<number>
  --project=<name> --shard=<number> -t|--testNamePattern=<text> -c|--config|-r|--root|--dir=<path>`;
const jest = `--ci --coverage --no-coverage --runInBand -i --bail -b --bail=<number> --silent --watchAll==false --watch==false --passWithNoTests --forceExit
  --detectOpenHandles --onlyChanged -o --onlyFailures -f --findRelatedTests --listTests --json --no-cache --updateSnapshot -u --expand -e
  --errorOnDeprecated --runTestsByPath --color --colors --no-color --reporters=default|verbose|summary|github-actions --env=node|jsdom
  -w|--maxWorkers|--testTimeout=<number> --shard=<number> --selectProjects=<name> -t|--testNamePattern|--testPathPattern|--testPathPatterns=<text>
  -c|--config|--rootDir=<path>`;
const mocha = `-i --invert -b --bail --exit --recursive -p --parallel --forbid-only --forbid-pending --check-leaks --full-trace --color -c --no-color --diff
  --no-diff --inline-diffs --sort -S --dry-run -t|--timeout|-s|--slow|-j|--jobs|--retries=<number> -R|--reporter=spec|dot|min|list|tap|json|progress|nyan
  -u|--ui=bdd|tdd|qunit|exports -g|--grep|-f|--fgrep=<text> --spec|--file|--config|-r|--require=<path>`;
const ava = `--fail-fast --serial -s --tap -t --update-snapshots -u --color --no-color -T|--timeout|-c|--concurrency=<number> -m|--match=<text>`;

/** Of the runner of the tests that a script starts, whichever it is. */
const script = `-- -s --silent --if-present --workspaces --workspace=<name> --bail --bail=<number> --invert --ci --check --coverage --exit --fix --list --noEmit --parallel --passWithNoTests --recursive --run
  --runInBand --forceExit --detectOpenHandles --onlyChanged --changed --update --updateSnapshot --write --watch==false --watchAll==false --no-watch
  --color --colors --no-color --max-warnings|--maxWorkers|--workers|--timeout|--testTimeout|--retries|--shard=<number> --project=<name>
  --reporter=default|verbose|dot|spec|list|line|json|tap -g|--grep|-t|--testNamePattern|--testPathPattern|--filter=<text>`;

const pytest = `-[vqxsl] -r[aAfEsxXpPwN] --exitfirst --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --no-header --no-summary --collect-only
  --co --cov --cov-branch --cov-append --no-cov --disable-warnings --disable-pytest-warnings --showlocals --full-trace --doctest-modules --setup-show
  --setup-only --setup-plan --fixtures --markers --strict --strict-markers --strict-config --runxfail --no-migrations --reuse-db --forked
  --maxfail|--durations|--durations-min|--cov-fail-under|--timeout|--reruns|--verbosity=<number> -n|--numprocesses=<number>|auto|logical
  --tb=auto|long|short|line|native|no --color=yes|no|auto --capture=no|sys|fd|tee-sys --cov-report=term|term-missing|xml|html|json|lcov
  --import-mode=prepend|append|importlib --asyncio-mode=auto|strict --assert=plain|rewrite --dist=load|loadscope|loadfile|no
  -p=no:cacheprovider|no:warnings|no:randomly|no:xdist|no:cov|no:sugar|no:logging|no:terminal
  -W=ignore|error|default|always|once|ignore::DeprecationWarning|error::DeprecationWarning
  -k|-m=<expression> -c|--rootdir|--confcutdir|--deselect|--ignore=<path> --cov=<module>`;
const django = `--failfast --keepdb --timing --traceback --reverse -r --buffer -b --parallel --parallel=<number>|auto --force-color --no-color
  --verbosity|-v=<number> --tag|--exclude-tag=<name> -k=<text> --settings=<module> --testrunner=django.test.runner.DiscoverRunner`;

const cargo = `--release -r --all --workspace --all-targets --all-features --no-default-features --no-fail-fast --locked --offline --frozen --keep-going
  -F|--features|-p|--package|--exclude|--bin|--test|--bench|--example=<name> -j|--jobs=<number> --profile=dev|release|test|bench
  --color=auto|always|never`;

export const usageTable: readonly UsageGroup[] = [
  {
    launchers: ["", "npx", "bunx", "pnpm exec", "yarn exec", "yarn", "pnpm"],
    lines: `
      vitest <word>*: ${vitest}
      jest <word>*: ${jest}
      mocha <path>*: ${mocha}
      ava <path>*: ${ava}
      c8|nyc report: --reporter|-r=text|text-summary|lcov|lcovonly|html|json|json-summary|cobertura|clover|none --check-coverage
      cypress run: --headless --headed --e2e --component --spec|-s|--project|-P|--config-file|-C=<path> --reporter|-r=spec|dot|min|list
      playwright test <word>*: -x --headed --last-failed --list --pass-with-no-tests --fully-parallel --forbid-only --update-snapshots -u
        --ignore-snapshots --no-deps --only-changed --workers|-j|--retries|--repeat-each|--timeout|--global-timeout|--max-failures|--shard=<number>
        --project=<name> --reporter=list|line|dot|json|null|github --trace=on|off|on-first-retry|retain-on-failure
        --grep|-g|--grep-invert=<text> --config|-c=<path>
      eslint <path>*: --fix --fix-dry-run --no-eslintrc --no-inline-config --report-unused-disable-directives --no-error-on-unmatched-pattern
        --no-warn-ignored --cache --no-cache --color --no-color --max-warnings=<number> --ext=<name>
        --format|-f=stylish|compact|json|unix|html|checkstyle|junit|tap --config|-c|--ignore-path=<path>
      prettier --check|-c|--write|-w|--list-different|-l <path>*: --check -c --write -w --list-different -l --ignore-unknown -u --cache
        --no-color --no-config --no-editorconfig --no-error-on-unmatched-pattern --log-level|--loglevel=silent|error|warn|log|debug
        --config|--ignore-path=<path>
      prettier <file>*: --check -c --write -w --list-different -l --ignore-unknown -u --no-color --no-config --no-editorconfig
        --log-level|--loglevel=silent|error|warn|log|debug --config|--ignore-path=<path>
      tsc <path>*: --noEmit -b --build --force --pretty --no-pretty --skipLibCheck --strict --incremental --listFiles --listFilesOnly --showConfig
        --esModuleInterop --allowJs --checkJs --resolveJsonModule --noErrorTruncation --diagnostics --extendedDiagnostics
        --pretty=true|false --target|--module|--moduleResolution|--jsx=<name> -p|--project=<path>
      stylelint <path>*: --fix --cache --color --no-color --allow-empty-input --aei --max-warnings|--mw=<number>
        --formatter|-f=compact|json|string|tap|unix|verbose --config|-c=<path>
      knip: --production --strict --no-progress --no-exit-code --dependencies --exports --files --include|--exclude=<name>
        --reporter=symbols|compact|json|markdown
    `,
  },
  {
    launchers: [
      "c8",
      "nyc",
      "npx c8",
      "npx nyc",
      "bunx c8",
      "bunx nyc",
      "pnpm exec c8",
      "pnpm exec nyc",
      "yarn exec c8",
      "yarn exec nyc",
    ],
    lines: `
      vitest <word>*: ${vitest}
      jest <word>*: ${jest}
      mocha <path>*: ${mocha}
      ava <path>*: ${ava}
    `,
  },
  {
    // Without npx and bunx: where the project has none of these, they would fetch a package of that name, by others.
    launchers: ["", "pnpm exec", "yarn exec", "yarn", "pnpm"],
    lines: `
      biome check|lint|format|ci <path>*: --write --fix --unsafe --apply --changed --staged --error-on-warnings --no-errors-on-unmatched
        --max-diagnostics=<number> --diagnostic-level=info|warn|error --colors=off|force --reporter=summary|json|github|junit
      depcruise <path>*: --validate --no-config --output-type|-T=err|err-long|json|text|dot --config=<path>
      markdownlint <path>*: --fix --json --config|-c=<path>
    `,
  },
  {
    launchers: [""],
    lines: `
      npm|pnpm|yarn test <word>*: ${script}
      npm|pnpm run|run-script <usual> <word>*: ${script}
      npm|pnpm run|run-script <script>: ${script}
      yarn|bun run <usual> <word>*: ${script}
      bun test <word>*: --coverage --bail --bail=<number> --timeout|--rerun-each=<number> --only --todo --update-snapshots -u
        -t|--test-name-pattern=<text>
      deno test <path>*: --no-check --fail-fast --parallel --doc --no-run --trace-leaks --shuffle --permit-no-files --frozen --cached-only --no-remote
        --no-npm --filter=<text> --reporter=pretty|dot|junit|tap
      node --test <path>*: --test-only --test-force-exit --no-warnings --enable-source-maps --experimental-test-coverage --experimental-strip-types
        --experimental-vm-modules --test-update-snapshots --test-name-pattern|--test-skip-pattern=<text>
        --test-reporter=spec|tap|dot|junit|lcov --test-concurrency|--test-timeout|--test-shard=<number> --test-isolation=none|process
    `,
  },
  {
    launchers: ["", "python -m", "py -m", "coverage run -m", "python -m coverage run -m"],
    lines: `
      pytest <path>*: ${pytest}
      unittest discover <path>*: -f --failfast -c --catch -b --buffer --locals -s|--start-directory|-t|--top-level-directory=<path> -p|--pattern|-k=<text>
      unittest <module>*: -f --failfast -c --catch -b --buffer --locals --durations=<number> -k=<text>
      django test <module>*: ${django}
    `,
  },
  {
    launchers: ["", "python -m", "py -m"],
    lines: `
      coverage report|html|xml|json|lcov: -m --show-missing --skip-covered --skip-empty -i --ignore-errors --precision|--fail-under=<number>
        --sort=name|cover|miss --include|--omit=<path>
      doctest <path>*: -f --fail-fast
      compileall|py_compile <path>*: -f -l -j=<number>
      django check <module>*: --settings=<module> --tag|-t=<name> --fail-level=ERROR|WARNING
      tox run|r|run-parallel|p|list|l <path>*: ${pytest} -- -r -e|-m|-f=<name> --parallel=<number>|auto --recreate --notest --skip-pkg-install --develop
        --skip-missing-interpreters -c|--conf|--root=<path>
      tox <path>*: ${pytest} -- -r -e=<name> -p --parallel -p=<number>|auto --parallel=<number>|auto -a --listenvs --recreate --notest --skip-missing-interpreters
        --showconfig -c|--conf|--root=<path>
      nox <path>*: ${pytest} -- -s|--session|--sessions|-e|-t|--tags=<name> -l --list -R -r --reuse-existing-virtualenvs --no-install --stop-on-first-error
        --no-color -k=<expression> -p|--python=<name> -f|--noxfile=<path>
      mypy <path>*: --strict --ignore-missing-imports --no-incremental --show-error-codes --show-column-numbers --pretty --no-pretty --no-error-summary
        --no-color-output --warn-unused-ignores --check-untyped-defs --disallow-untyped-defs --namespace-packages --explicit-package-bases
        --show-traceback --follow-imports=normal|silent|skip|error --python-version=<number> --config-file=<path>
      pyright <path>*: --outputjson --stats --warnings --skipunannotated --level=error|warning --pythonversion=<number> -p|--project=<path>
      ruff check|format <path>*: - --fix --no-fix --fix-only --unsafe-fixes --show-fixes --diff --check --statistics --preview --no-preview --exit-zero --no-cache
        --show-files --show-settings --exit-non-zero-on-fix --isolated --force-exclude -n -e --line-length=<number>
        --select|--ignore|--extend-select|--extend-ignore|--target-version=<name> --config=<path>
        --output-format=concise|full|json|github|gitlab|grouped|pylint|text|junit|sarif
      black <path>*: - --check --diff --color --no-color --fast --safe --preview --pyi -S --skip-string-normalization -C --skip-magic-trailing-comma
        -l|--line-length|-W|--workers=<number> -t|--target-version=<name> --config=<path>
      isort <path>*: - --check --check-only -c --diff -d --df --atomic --only-modified --color -l|-w|--line-length|-m|--multi-line=<number>
        --profile=black|django|pycharm|google|open_stack|plone|attrs|hug --settings-path|--sp=<path>
      flake8 <path>*: - --count --statistics --show-source --exit-zero --isolated --benchmark --doctests --max-line-length|--max-complexity|-j|--jobs=<number>
        --select|--ignore|--extend-select|--extend-ignore|--exclude=<name> --format=default|pylint --config=<path>
      pylint <path>*: -E --errors-only --exit-zero --list-msgs -rn -sn -j|--jobs|--max-line-length|--fail-under|--py-version=<number>
        -d|-e|--disable|--enable|--ignore=<name> -r|--reports|-s|--score|--recursive|--persistent=y|n|yes|no
        -f|--output-format=text|colorized|json|parseable|msvs --rcfile=<path>
      pyflakes <path>*:
      sqlfluff lint|fix|parse|format|render <path>*: - --force -f --nofail --disable-progress-bar --nocolor -n --no-safety
        --dialect|-d|--rules|-r|--exclude-rules|-e|--ignore=<name> --format|-f=human|json|yaml|github-annotation|none
        --templater=raw|jinja|python|placeholder --processes|-p|--recurse=<number> --config=<path>
      sqlfluff dialects|rules|version:
      sqlfluff|django|pytest|tox|nox:
    `,
  },
  {
    launchers: ["", "bundle exec"],
    lines: `
      rspec <path>*: -fd -fp -b --backtrace --only-failures --next-failure --fail-fast --dry-run --color --no-color --seed=<number> --tag|-t=<name>
        -f|--format=progress|documentation|json|failures|p|d|j|f --order=random|rand|defined -e|--example=<text>
      rubocop <path>*: -a -A --autocorrect --autocorrect-all --auto-correct -l --lint -x --fix-layout --parallel --no-parallel -L --list-target-files
        --display-cop-names -D --color --no-color --only|--except=<text> --config|-c=<path>
        -f|--format=progress|simple|offenses|json|quiet|clang|emacs|files
    `,
  },
  {
    launchers: [""],
    // In the working tree: nothing that sends, fetches, sets, reads other revisions or takes work away. With -v it would print changes.
    isBare: true,
    lines: `
      git add <path>*: -- -A --all -u --update -N --intent-to-add -n --dry-run
      git commit <path>*: -- -a --all -s --signoff --allow-empty -q --quiet -m|-am|--message=<message>
      git status <path>*: -- -[sbz] --short --long --branch --porcelain --porcelain==v1|v2 --ignored --show-stash -u -uno -uall -unormal
        --untracked-files --untracked-files==no|all|normal
      git ls-files <path>*: -- -[omdcsz] --others --modified --deleted --cached --stage --ignored --exclude-standard --error-unmatch --full-name --eol
      git rev-parse <word>*: --short --short=<number> --abbrev-ref --verify -q --quiet --show-toplevel --show-prefix --git-dir --is-inside-work-tree
      git stash list:
      git branch --show-current:
    `,
  },
  {
    launchers: [""],
    lines: `
      phpunit <path>*: --testdox --stop-on-failure --stop-on-error --no-coverage --no-progress --debug --list-tests --list-groups --filter=<text>
        --group|--exclude-group|--testsuite=<name> --colors=always|never|auto --order-by=default|random|defects --configuration|-c=<path>
      phpstan analyse|analyze <path>*: --no-progress --ansi --no-ansi --level|-l=<number>|max --memory-limit=<name> --configuration|-c=<path>
        --error-format=table|json|raw|github|prettyJson
      go build|test|vet|fmt|list <path>*: -short -race -count=<number> -cover -covermode=set|count|atomic -benchmem -failfast -json -n -deps -test -e
        -trimpath -vet==off -benchtime|-timeout|-parallel|-p|-cpu=<number> -tags=<name> -shuffle=on|off -mod=vendor|readonly
        -run|-bench|-skip|-list=<text>
      golangci-lint run|fmt|linters <path>*: --fix --fast --new --diff --allow-parallel-runners --show-stats --tests=true|false -E|--enable|-D|--disable=<name>
        --timeout|-j|--concurrency|--max-issues-per-linter|--max-same-issues=<number> --config|-c=<path>
        --out-format=colored-line-number|line-number|tab|json|checkstyle|github-actions
      gofmt|goimports <path>*: -l -d -s -w -e
      rustfmt <path>*: --check -l --edition=<number> --config-path=<path>
      cargo test|bench <word>*: ${cargo} -- --lib --bins --tests --examples --benches --no-run --doc --exact --nocapture --ignored --include-ignored
        --show-output --list --skip=<name> --test-threads=<number>
      cargo run <word>*: ${cargo} --
      cargo build|check|clippy|doc|tree: ${cargo} --lib --bins --tests --examples --benches --fix --no-deps --document-private-items -d --duplicates
        -i|--invert|-e|--edges=<name> --depth=<number> --message-format=human|short|json
        -- -D|-W|-A=warnings|clippy::all|clippy::pedantic|clippy::nursery|clippy::cargo|unused
      cargo fmt: --all --check -- -l
      dotnet build|test|format <path>*: --no-build --no-restore --no-incremental --no-dependencies --nologo --list-tests --verify-no-changes
        -c|--configuration=Debug|Release -f|--framework=<name> --filter=<text> --severity=info|warn|error
        -v|--verbosity=q|quiet|m|minimal|n|normal|d|detailed|diag
      mvn|mvnw clean|validate|compile|test-compile|test|package|verify+: -B --batch-mode -o --offline -e -ntp --no-transfer-progress -am --also-make -fae -ff -fn
        -nsu -DskipTests -Dmaven.test.skip==true -DfailIfNoTests==false -Dtest==<text> -pl|--projects=<path> -T=<number> -f|--file=<path>
      gradle|gradlew clean|test|build|check|assemble|classes|testClasses|jar|lint|help|tasks|compileJava|compileTestJava|compileKotlin|integrationTest+: --info
        -i --stacktrace -s --no-daemon --offline --continue --rerun-tasks --build-cache --no-build-cache --parallel --dry-run -m
        --configuration-cache --console=plain|auto|rich --warning-mode=all|none|summary|fail --max-workers=<number> --tests=<text>
        -x|--exclude-task=test|check|lint|integrationTest
      sbt test|compile:
      swift build|test: --parallel --enable-code-coverage -c|--configuration=debug|release --filter|--skip=<text>
      mix test|compile|format <path>*: --trace --failed --stale --cover --warnings-as-errors --force --check-formatted --color --seed|--max-failures|--slowest=<number>
        --only|--exclude=<name>
      zig test <path>*:
      zig build <target>*: --summary=all|none|failures
      composer test|build|lint|format <path>*: --
      make <target>+: -[ksBnw] -j -j|--jobs=<number> --keep-going --silent --always-make --dry-run --just-print --no-print-directory
        --warn-undefined-variables -C|--directory|-f|--file=<path>
      ninja <target>+: -n -j|-k=<number> -C|-f=<path>
      just <target>: -n --dry-run
      just <usual> <path>*: -n --dry-run
      task <target>+: -n --dry -s --silent -p --parallel -f --force
      rake <target>+: -m -n -P -T -s --tasks --trace --dry-run -j=<number>
      cmake --build <path>: --clean-first -j --parallel -j|--parallel=<number> --config|--target|-t=<name>
      ctest: --output-on-failure -j --parallel -j|--parallel=<number> -V -VV -N -Q --show-only --rerun-failed --stop-on-failure --schedule-random
        --progress --no-tests=error|ignore -C|--preset=<name> --timeout=<number> --test-dir=<path> -R|-E|-L|-LE=<text>
      meson compile|test <target>*: --print-errorlogs --no-rebuild --list --benchmark --suite=<name> --repeat|-j|--num-processes|-t=<number> -C=<path>
      clang-format <path>*: -i -n --dry-run --Werror --style|-style=file|LLVM|Google|Chromium|Mozilla|WebKit|GNU|Microsoft
      clang-tidy <path>*: --fix --use-color --list-checks --checks|-checks=<text> -p=<path>
      ktlint <path>*: -F --format --relative --color --reporter=plain|json|checkstyle|sarif
      swiftlint lint <path>*: --strict --fix --config=<path>
      shellcheck <path>*: - --norc --color --severity|-S=error|warning|info|style --shell|-s=sh|bash|dash|ksh --exclude|-e=<name>
        --format|-f=gcc|tty|json|checkstyle|diff|quiet
    `,
  },
];
