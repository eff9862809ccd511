#include "app/tasks/verify/verify_file.h"

#include "app/tasks/model/model.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "app/tasks/verify/quantized_limits.h"
#include "app/tasks/verify/saved_failure.h"
#include "etrecord/record.h"
#include "inspector/external_data/data_check.h"
#include "inspector/session/record_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using bundled_program::CaseReport;
using bundled_program::FileReport;

/// The message without repeating the file's name.
std::string messageOf(const core::Error& error, const fs::path& path) {
    core::Error local = error;
    if (local.where.file == path.string()) {
        local.where.file.clear();
    }
    return local.toString();
}

/// Why the weight files may be the cause of differences. Compares them with the model's ETRecord, or with the
/// one next to the bundle.
std::string weightsNote(const Model& model, const fs::path& path, const std::vector<fs::path>& dataFiles) {
    std::shared_ptr<const etrecord::Record> record = model.emulation.record;
    if (const fs::path beside = adjacentRecord(path); record == nullptr && !beside.empty()) {
        record = etrecord::Record::open(beside).value_or(nullptr);
    }
    const bool isOfProgram = record != nullptr && !inspector::contradiction(*record, *model.program);
    std::vector<inspector::DataFile> files;
    for (std::size_t i = 0; i < std::min(dataFiles.size(), model.tensorData.size()); ++i) {
        files.push_back({.path = dataFiles[i], .data = model.tensorData[i]});
    }
    const inspector::DataQuestion question{
        .program = *model.program,
        .programPath = path,
        .files = files,
        .record = isOfProgram ? record.get() : nullptr,
        .recordPath = isOfProgram ? fs::path(record->file().name()) : fs::path()};
    const inspector::DataCheck check = inspector::checkData(question);
    if (!check.contradictions.empty()) {
        return check.contradictions.front();
    }
    return check.verdict == inspector::DataVerdict::Unverified
               ? "a second export into one folder replaces the weights of the first, which also fails "
                 "cases. " +
                     summary(check, question)
               : std::string();
}

/// Makes the file fail if --sanitize found memory errors.
void addMemoryErrors(const Model& model, FileReport& report) {
    if (model.sanitizer == nullptr || model.sanitizer->findings().empty()) {
        return;
    }
    const auto findings = model.sanitizer->findings();
    if (report.verdict == bundled_program::Verdict::Pass) {
        report.verdict = bundled_program::Verdict::Fail;
    }
    std::ranges::transform(findings, std::back_inserter(report.memoryErrors), &MemoryFinding::line);
    if (report.message.empty()) {
        report.message = fmt::format("memory error: {}", report.memoryErrors.front());
    }
}

core::Result<FileReport> tryToVerify(const fs::path& path, const VerifySettings& settings,
                                     ProgressReporter* watch) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
        if (const fs::directory_iterator entries(path, failed); failed) {
            return core::fail(core::ErrorCode::Io,
                              fmt::format("cannot read the folder: {}", failed.message()));
        }
        return core::fail(core::ErrorCode::Format, "the folder has no bundled program (.bpte)");
    }
    ModelOptions options = settings.model;
    options.emulateFromAdjacentRecord = true;
    ET_ASSIGN(const std::unique_ptr<Model> model, Model::prepare(path, options));
    if (model->bundle == nullptr) {
        return core::fail(core::ErrorCode::Format,
                          "a program without test cases: expected a bundled program (.bpte), or one with "
                          "--cases");
    }
    VerifySettings used = settings;
    used.model.tensorData.insert(used.model.tensorData.end(), model->foundData.begin(),
                                 model->foundData.end());
    bundled_program::VerifyOptions cases = settings.cases;
    cases.limits = limitsOf(*model, settings);
    if (watch != nullptr) {
        watch->begin("verify", bundled_program::countCases(*model->bundle, settings.cases));
    }
    std::string unsaved;
    const auto observe = [&](const CaseReport& done, const bundled_program::TestCase& testCase,
                             executor::Method& method) {
        if (watch != nullptr) {
            watch->step();
        }
        const bool wanted = settings.saveAll || done.verdict != bundled_program::Verdict::Pass;
        if (settings.failures.empty() || !wanted) {
            return;
        }
        const auto saved = saveCase(path, used, done, testCase, method);
        if (!saved && unsaved.empty()) {
            unsaved = saved.error().toString();
        }
    };
    FileReport report =
        bundled_program::verify(*model->bundle, [&] { return model->newModule(nullptr); }, cases, observe);
    std::ranges::transform(model->foundData, std::back_inserter(report.foundData),
                           [](const fs::path& each) { return each.string(); });
    report.emulated = model->emulation.names();
    std::ranges::transform(
        model->emulation.interpreted, std::back_inserter(report.emulated),
        [](const std::string& name) { return fmt::format("{} (computed from the payload)", name); });
    report.unsaved = unsaved;
    addMemoryErrors(*model, report);
    if (report.verdict == bundled_program::Verdict::Fail && !used.model.tensorData.empty()) {
        report.weights = weightsNote(*model, path, used.model.tensorData);
    }
    return report;
}

}  // namespace

FileReport verifyFile(const fs::path& path, const VerifySettings& settings, ProgressReporter* watch) {
    const std::uint64_t start = core::EventTracer::now();
    auto tried = tryToVerify(path, settings, watch);
    FileReport report = tried ? *std::move(tried)
                              : bundled_program::unreadable(path.string(), messageOf(tried.error(), path));
    report.file = path.string();
    report.seconds = static_cast<double>(core::EventTracer::now() - start) * 1e-9;
    return report;
}

}  // namespace et::tasks
