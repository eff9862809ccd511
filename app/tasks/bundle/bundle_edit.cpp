#include "app/tasks/bundle/bundle_edit.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/bundle/case_maker.h"
#include "app/tasks/model/model.h"
#include "bundled_program/bundle.h"
#include "bundled_program/case_check.h"
#include "bundled_program/writer.h"
#include "inspector/format/table.h"
#include "runtime/core/file_lock.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using bundled_program::Bundle;
using bundled_program::BundledValue;
using bundled_program::TestCase;
using bundled_program::TestSuite;
using core::ErrorCode;
using core::Result;

/// The cases of a bundle during editing. Suites are kept sorted by method name, as required by the format.
class Suites {
  public:
    explicit Suites(std::vector<bundled_program::TestSuite> from);

    /// Removes cases: "forward:0", or "forward" for all cases of a method. Numbers refer to the cases before
    /// the removal. Errors: NotFound (the message lists the existing ones).
    [[nodiscard]] core::Result<> remove(std::span<const std::string> wanted);

    /// Appends a case to those of its method and returns its number. `method` is borrowed.
    std::size_t add(std::string_view method, bundled_program::TestCase testCase);

    [[nodiscard]] const std::vector<bundled_program::TestSuite>& all() const { return suites; }
    [[nodiscard]] std::size_t cases() const;

    /// One row per case: method, number, inputs and expected outputs.
    [[nodiscard]] inspector::format::Table table() const;

  private:
    [[nodiscard]] std::string known() const;

    std::vector<bundled_program::TestSuite> suites;
};

/// "forward:3": method names may contain colons; a number after the last one is a case.
struct CaseName {
    std::string_view method;
    std::optional<std::size_t> number;
};

CaseName parse(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos) {
        const std::string_view digits = text.substr(colon + 1);
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error == std::errc{} && end == digits.data() + digits.size()) {
            return {.method = text.substr(0, colon), .number = number};
        }
    }
    return {.method = text, .number = {}};
}

std::string describeAll(const std::vector<BundledValue>& values) {
    std::vector<std::string> texts;
    for (const BundledValue& value : values) {
        texts.push_back(bundled_program::describe(value));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

Suites::Suites(std::vector<TestSuite> from) : suites(std::move(from)) {
    std::ranges::stable_sort(suites, {}, &TestSuite::method);
}

Result<> Suites::remove(std::span<const std::string> wanted) {
    std::map<std::string_view, std::set<std::size_t>> gone;
    for (const std::string& text : wanted) {
        const CaseName name = parse(text);
        const auto suite = std::ranges::find(suites, name.method, &TestSuite::method);
        if (suite == suites.end() || name.number.value_or(0) >= suite->cases.size()) {
            return core::fail(ErrorCode::NotFound,
                              fmt::format("--remove: no case \"{}\"; available: {}", text, known()));
        }
        std::set<std::size_t>& numbers = gone[suite->method];
        for (std::size_t i = 0; i < suite->cases.size(); ++i) {
            if (name.number.value_or(i) == i) {
                numbers.insert(i);
            }
        }
    }
    for (TestSuite& suite : suites) {
        for (const std::size_t number : gone[suite.method] | std::views::reverse) {
            suite.cases.erase(suite.cases.begin() + static_cast<std::ptrdiff_t>(number));
        }
    }
    std::erase_if(suites, [](const TestSuite& suite) { return suite.cases.empty(); });
    return {};
}

std::size_t Suites::add(std::string_view method, TestCase testCase) {
    auto place = std::ranges::lower_bound(suites, method, {}, &TestSuite::method);
    if (place == suites.end() || place->method != method) {
        place = suites.insert(place, TestSuite{.method = method, .cases = {}});
    }
    place->cases.push_back(std::move(testCase));
    return place->cases.size() - 1;
}

std::size_t Suites::cases() const {
    std::size_t count = 0;
    for (const TestSuite& suite : suites) {
        count += suite.cases.size();
    }
    return count;
}

inspector::format::Table Suites::table() const {
    inspector::format::Table table{.columns = {{.id = "method", .header = "method"},
                                               {.id = "case", .header = "case", .numeric = true},
                                               {.id = "inputs", .header = "inputs"},
                                               {.id = "expected_outputs", .header = "expected outputs"}},
                                   .rows = {},
                                   .indexed = false,
                                   .heat = {}};
    for (const TestSuite& suite : suites) {
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            table.rows.push_back({core::printable(suite.method), std::uint64_t{i},
                                  describeAll(suite.cases[i].inputs),
                                  describeAll(suite.cases[i].expectedOutputs)});
        }
    }
    return table;
}

std::string Suites::known() const {
    std::vector<std::string> names;
    for (const TestSuite& suite : suites) {
        names.push_back(suite.cases.size() == 1 ? fmt::format("{}:0", suite.method)
                                                : fmt::format("{}:0 to {}:{}", suite.method, suite.method,
                                                              suite.cases.size() - 1));
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// Maximum time to wait for other processes that edit the same file; running a model may take a while.
constexpr std::chrono::minutes patience{1};

Result<> check(const BundleSettings& settings) {
    if (settings.fromRun && !settings.expected.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "--from-run and --expected exclude each other");
    }
    if (!settings.model.inputs.empty() && !settings.fromRun && settings.expected.empty()) {
        return core::fail(ErrorCode::InvalidArgument,
                          "a case needs expected outputs: --expected for each, or --from-run");
    }
    return {};
}

/// The cases of a bundle during editing, with the data that they borrow.
class Editor {
  public:
    Editor(const BundleSettings& given, const ProgressOptions& shown, ProgramFile file)
        : settings(given),
          progress(shown),
          opened(std::move(file)),
          suites(opened.bundle ? opened.bundle->suites : std::vector<bundled_program::TestSuite>()) {}

    Result<BundleResult> run();

  private:
    [[nodiscard]] bool addsCase() const {
        return settings.fromRun || !settings.expected.empty() || !settings.model.inputs.empty();
    }
    [[nodiscard]] Result<> copyCases();
    [[nodiscard]] Result<std::string> addCase();
    [[nodiscard]] Result<> runOnce();
    [[nodiscard]] Result<> write() const;

    const BundleSettings& settings;
    const ProgressOptions& progress;
    ProgramFile opened;
    Suites suites;
    std::shared_ptr<const Bundle> other;  ///< bundle of settings.casesFrom; its cases are borrowed
    std::deque<CaseMaker> copies;         ///< of its cases
    std::unique_ptr<Model> model;
    std::optional<InputSet> inputs, expected;
    std::optional<CaseMaker> maker;
    Interruption interruption = Interruption::None;
};

Result<> Editor::copyCases() {
    ET_ASSIGN(other, Bundle::open(settings.casesFrom));
    for (const bundled_program::TestSuite& suite : other->suites) {
        ET_ASSIGN(const program::Method* method, chooseMethod(*opened.program, std::string(suite.method)));
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            CaseMaker& copy = copies.emplace_back(*method);
            auto fits = copy.setCase(suite.cases[i]).and_then([&] {
                return bundled_program::checkCase(*method, copy.made());
            });
            if (!fits) {
                fits.error().message = fmt::format("case {}: {}", i, fits.error().message);
                return std::unexpected(std::move(fits).error().in(settings.casesFrom.string()));
            }
            suites.add(method->name, copy.made());
        }
    }
    return {};
}

Result<> Editor::runOnce() {
    const InterruptionGuard guard;
    ProgressReporter watch(progress, settings.model.timeoutSeconds, settings.model.executionSeconds);
    watch.begin("run", 1);
    ET_ASSIGN(model, Model::open(settings.file, settings.model, nullptr));
    const auto ran = model->execute(*inputs);
    watch.finish();
    interruption = InterruptionGuard::cause();
    ET_TRY(ran);
    return maker->setExpected(*model->method);
}

Result<std::string> Editor::addCase() {
    ET_ASSIGN(const program::Method* method, chooseMethod(*opened.program, settings.model.method));
    const std::uint64_t maxBytes = settings.model.memoryBytes.value_or(executor::Limits().memoryBytes);
    maker.emplace(*method);
    ET_ASSIGN(inputs, makeInputs(*method, settings.model.inputs, settings.model.seed, maxBytes));
    ET_TRY(maker->setInputs(*inputs));
    if (settings.fromRun) {
        ET_TRY(runOnce());
    } else {
        ET_ASSIGN(expected, makeOutputs(*method, settings.expected, maxBytes));
        ET_TRY(maker->setExpected(*expected));
    }
    ET_TRY(bundled_program::checkCase(*method, maker->made()));
    const std::size_t number = suites.add(method->name, maker->made());
    return fmt::format("{}:{}", method->name, number);
}

Result<> Editor::write() const {
    std::vector<fs::path> read = Model::files(settings.file, settings.model);
    read.erase(read.begin());  // the output may replace it
    read.insert(read.end(), settings.expected.begin(), settings.expected.end());
    ET_TRY(refuseToReplace(settings.output, read));
    core::FileContent program;
    program.appendBorrowed(opened.program->bytes);
    const auto file = bundled_program::bundleFile(program, suites.all());
    if (!file) {
        return std::unexpected(core::Error(file.error()).in(settings.output.string()));
    }
    return writeFile(settings.output, *file);
}

Result<BundleResult> Editor::run() {
    BundleResult result;
    ET_TRY(suites.remove(settings.removed));
    if (!settings.casesFrom.empty()) {
        ET_TRY(copyCases());
    }
    if (addsCase()) {
        auto added = addCase();
        if (interruption != Interruption::None) {
            result.interruption = interruption;
            return result;
        }
        ET_ASSIGN(result.added, std::move(added));
    }
    if (!settings.output.empty()) {
        ET_TRY(write());
    }
    result.cases = suites.table();
    result.count = suites.cases();
    return result;
}

}  // namespace

Result<BundleResult> editBundle(const BundleSettings& settings, const ProgressOptions& progress) {
    ET_TRY(check(settings));
    // Without a lock, two processes that add a case to the same file would overwrite each other's result.
    std::optional<core::FileLock> lock;
    std::error_code unknown;
    if (!settings.output.empty() && fs::is_regular_file(settings.output, unknown) &&
        fs::equivalent(settings.file, settings.output, unknown)) {
        ET_ASSIGN(lock, core::FileLock::exclusive(settings.output, patience));
    }
    ET_ASSIGN(ProgramFile opened, ProgramFile::open(settings.file));
    return Editor(settings, progress, std::move(opened)).run();
}

}  // namespace et::tasks
