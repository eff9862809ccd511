#include "app/tasks/bundle/bundle_edit.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/bundle/case_maker.h"
#include "app/tasks/bundle/suites.h"
#include "app/tasks/model/model.h"
#include "bundled_program/case_check.h"
#include "bundled_program/writer.h"
#include "runtime/core/file_lock.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using bundled_program::Bundle;
using core::ErrorCode;
using core::Result;

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
            if (auto fits = bundled_program::checkCase(*method, suite.cases[i]); !fits) {
                fits.error().message = fmt::format("case {}: {}", i, fits.error().message);
                return std::unexpected(std::move(fits).error().in(settings.casesFrom.string()));
            }
            suites.add(method->name, suite.cases[i]);
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
    auto bytes = bundled_program::writeBundle(opened.program->bytes, suites.all());
    if (!bytes) {
        return std::unexpected(std::move(bytes).error().in(settings.output.string()));
    }
    return writeFile(settings.output,
                     producerOf({reinterpret_cast<const char*>(bytes->data()), bytes->size()}));
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
