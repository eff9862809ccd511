#include "app/tasks/verify/verify_files.h"

#include "app/tasks/verify/report_json.h"
#include "app/tasks/verify/run_self.h"
#include "app/tasks/verify/saved_failure.h"
#include "app/tasks/verify/verify_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using bundled_program::FileReport;

/// All bundled programs in a folder and its subfolders, and the folders that cannot be read.
std::vector<fs::path> filesBelow(const fs::path& top) {
    std::vector<fs::path> files;
    std::vector<fs::path> folders{top};
    while (!folders.empty()) {
        const fs::path folder = std::move(folders.back());
        folders.pop_back();
        std::error_code failed;
        for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
             entry.increment(failed)) {
            std::error_code unknown;
            if (fs::is_directory(entry->symlink_status(unknown))) {
                folders.push_back(entry->path());
            } else if (entry->path().extension() == ".bpte" && !entry->is_directory(unknown)) {
                files.push_back(entry->path());
            }
        }
        if (failed) {
            files.push_back(folder);
        }
    }
    std::ranges::sort(files);
    return files;
}

using Clock = std::chrono::steady_clock;

/// Report of a file that exceeded its time limit.
FileReport timedOut(const fs::path& file, std::string message) {
    FileReport report = bundled_program::unreadable(file.string(), std::move(message));
    report.timedOut = true;
    return report;
}

std::string timeoutText(const VerifySettings& settings) {
    return fmt::format("did not finish within {} s (--timeout)", settings.model.timeoutSeconds.value_or(0));
}
std::string slowText(const VerifySettings& settings) {
    return fmt::format("an execution did not finish within {} s (--max-time)",
                       settings.model.executionSeconds);
}

std::vector<std::string> childArguments(const fs::path& file, const VerifySettings& settings) {
    CommandArguments child = arguments(settings, PathStyle::AsGiven);
    child.add(argumentsOf(settings, &addSavedCases));
    child.options.insert(child.options.end(),
                         {"--in-process", "--format=json", fmt::format("--output={}", reportPath)});
    child.positional = {file.string()};
    return child.of("verify");
}

/// The last line that a process printed; empty: none.
std::string lastLine(std::string_view said) {
    while (said.ends_with('\n')) {
        said.remove_suffix(1);
    }
    const std::size_t lineBreak = said.rfind('\n');
    return std::string(lineBreak == std::string_view::npos ? said : said.substr(lineBreak + 1));
}

/// Report for a process that ended without one.
FileReport died(const fs::path& file, const VerifySettings& settings, const ChildResult& end) {
    const bool isKilled = end.cause == ChildResult::Cause::Timeout;
    const bool isSlow = end.process.signal == 0 && end.process.code == static_cast<int>(ExitCode::TimedOut);
    FileReport report;
    if (isKilled || isSlow) {
        report = timedOut(file, isKilled ? timeoutText(settings) : slowText(settings));
    } else {
        std::string message = core::endText(end.process);
        if (const std::string last = lastLine(end.said); !last.empty()) {
            message += fmt::format("; its last message: {}", last);
        }
        report = bundled_program::unreadable(file.string(), std::move(message));
    }
    if (!settings.failures.empty()) {
        if (const auto saved = saveFailure(file, settings, report); !saved) {
            report.unsaved = saved.error().toString();
        }
    }
    return report;
}

/// Nothing: interrupted.
std::optional<FileReport> verifyInChild(const fs::path& file, const VerifySettings& settings) {
    std::optional<std::chrono::duration<double>> timeout;
    if (settings.model.timeoutSeconds) {
        timeout.emplace(*settings.model.timeoutSeconds);
    }
    const auto end = runSelf(childArguments(file, settings), timeout);
    if (!end) {
        return bundled_program::unreadable(file.string(), end.error().toString());
    }
    const int code = end->process.code;
    const bool endedBySignal =
        code == static_cast<int>(ExitCode::Interrupted) || code == static_cast<int>(ExitCode::Terminated);
    if (end->cause == ChildResult::Cause::Interruption || (endedBySignal && InterruptionGuard::requested())) {
        return {};
    }
    if (end->process.signal == 0 && end->cause == ChildResult::Cause::Itself) {
        if (auto report = readVerifyJson(end->report)) {
            return *std::move(report);
        }
    }
    return died(file, settings, *end);
}

}  // namespace

std::vector<fs::path> bundleFiles(std::span<const fs::path> paths) {
    std::vector<fs::path> files;
    for (const fs::path& path : paths) {
        std::error_code unknown;
        const std::vector<fs::path> below =
            fs::is_directory(path, unknown) ? filesBelow(path) : std::vector<fs::path>();
        files.insert(files.end(), below.begin(), below.end());
        if (below.empty()) {
            files.push_back(path);
        }
    }
    return files;
}

std::vector<FileReport> verifyApart(std::span<const fs::path> files, const SettingsOf& settingsOf,
                                    std::size_t jobs, ProgressReporter& watch) {
    std::vector<std::optional<FileReport>> results(files.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < files.size() && !InterruptionGuard::requested(); i = next++) {
            const auto start = Clock::now();
            const auto settings = settingsOf(files[i]);
            results[i] = settings
                             ? verifyInChild(files[i], *settings)
                             : bundled_program::unreadable(files[i].string(), settings.error().toString());
            if (results[i]) {
                results[i]->seconds = std::chrono::duration<double>(Clock::now() - start).count();
            }
            watch.step();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(jobs, files.size()); ++i) {
            others.emplace_back(work);
        }
        work();
    }
    std::vector<FileReport> reports;
    for (std::optional<FileReport>& each : results) {
        if (each) {
            reports.push_back(*std::move(each));
        }
    }
    return reports;
}

std::vector<FileReport> verifyHere(std::span<const fs::path> files, const SettingsOf& settingsOf,
                                   ProgressReporter& watch, Interruption& interrupted) {
    std::vector<FileReport> reports;
    ProgressReporter* const byCase = files.size() == 1 ? &watch : nullptr;
    for (const fs::path& file : files) {
        const InterruptionGuard guard;
        const auto given = settingsOf(file);
        if (!given) {
            reports.push_back(bundled_program::unreadable(file.string(), given.error().toString()));
            watch.step();
            continue;
        }
        const VerifySettings& settings = *given;
        ProgressReporter clock({.mode = ProgressMode::None}, settings.model.timeoutSeconds);
        FileReport report = verifyFile(file, settings, byCase);
        clock.finish();
        const Interruption cause = InterruptionGuard::cause();
        if (cause == Interruption::Interrupt || cause == Interruption::Terminate) {
            interrupted = cause;
            break;
        }
        if (cause == Interruption::Timeout || cause == Interruption::SlowExecution) {
            report =
                timedOut(file, cause == Interruption::Timeout ? timeoutText(settings) : slowText(settings));
        }
        reports.push_back(std::move(report));
        if (byCase == nullptr) {
            watch.step();
        }
    }
    return reports;
}

}  // namespace et::tasks
