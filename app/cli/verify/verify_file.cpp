#include "app/cli/verify/verify_file.h"

#include "app/cli/run/model.h"
#include "app/cli/verify/saved_failure.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using bundled_program::CaseReport;
using bundled_program::FileReport;

/// The same with the file's name not said twice.
std::string messageOf(const core::Error& error, const fs::path& path) {
    core::Error local = error;
    if (local.where.file == path.string()) {
        local.where.file.clear();
    }
    return local.toString();
}

core::Result<FileReport> tryToVerify(const fs::path& path, const VerifySettings& settings) {
    std::error_code unknown;
    if (fs::is_directory(path, unknown)) {
        return core::fail(core::ErrorCode::Format, "the folder has no bundled program (.bpte)");
    }
    ET_ASSIGN(const std::unique_ptr<Model> model, Model::prepare(path, settings.model));
    if (model->bundle == nullptr) {
        return core::fail(core::ErrorCode::Format,
                          "a program without test cases: expected a bundled program (.bpte)");
    }
    std::string unsaved;
    bundled_program::FailureObserver save;
    if (!settings.failures.empty()) {
        save = [&](const CaseReport& failed, const bundled_program::TestCase& testCase,
                   executor::Method& method) {
            const auto saved = saveFailure(path, settings, failed, testCase, method);
            if (!saved && unsaved.empty()) {
                unsaved = saved.error().toString();
            }
        };
    }
    FileReport report = bundled_program::verify(
        *model->bundle, [&] { return model->newModule(nullptr); }, settings.cases, save);
    if (!unsaved.empty()) {
        report.message += fmt::format("; not saved: {}", unsaved);
    }
    return report;
}

}  // namespace

FileReport verifyFile(const fs::path& path, const VerifySettings& settings) {
    const std::uint64_t start = core::EventTracer::now();
    auto tried = tryToVerify(path, settings);
    FileReport report = tried ? *std::move(tried)
                              : bundled_program::unreadable(path.string(), messageOf(tried.error(), path));
    report.file = path.string();
    report.seconds = static_cast<double>(core::EventTracer::now() - start) * 1e-9;
    return report;
}

}  // namespace et::cli
