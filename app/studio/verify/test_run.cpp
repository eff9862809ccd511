#include "app/studio/verify/test_run.h"

#include "app/studio/option_fields.h"
#include "app/tasks/verify/report_json.h"
#include "app/tasks/verify/saved_failure.h"
#include "app/tasks/verify/verify_settings.h"
#include "runtime/core/mapped_file.h"

#include <QFile>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;
using bundled_program::Bundle;
using bundled_program::CaseReport;
using bundled_program::FileReport;
using bundled_program::TestSuite;
using bundled_program::Verdict;
using visualizers::CaseRef;

CaseReport named(const TestSuite& suite, std::size_t index) {
    CaseReport report;
    report.method = suite.method;
    report.index = index;
    return report;
}

void addCases(TestJob& job, const TestSuite& suite) {
    for (std::size_t i = 0; i < suite.cases.size(); ++i) {
        job.cases.push_back(named(suite, i));
    }
}

QString pathText(const fs::path& path) {
    return QFile::decodeName(path.c_str());
}

fs::path fullPath(const fs::path& path) {
    std::error_code unknown;
    const fs::path known = fs::absolute(path, unknown);
    return unknown ? path : known;
}

/// Reads the report written by et-inspect; nothing if there is none.
std::optional<FileReport> readReport(const fs::path& path) {
    const auto written = core::MappedFile::open(path);
    if (!written) {
        return std::nullopt;
    }
    const core::Bytes bytes = (*written)->bytes();
    auto report = tasks::readVerifyJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return report ? std::optional(*std::move(report)) : std::nullopt;
}

/// Error of a process that did not write a report.
std::string complaint(const RunEnd& end) {
    if (!end.message.isEmpty()) {
        return end.message.toStdString();
    }
    const QByteArray last = end.log.sliced(end.log.lastIndexOf('\n') + 1);
    return last.isEmpty() ? "et-inspect exited with code " + std::to_string(end.exitCode)
                          : last.toStdString();
}

}  // namespace

std::vector<TestJob> jobsFor(const Bundle& bundle, const std::vector<CaseRef>& cases) {
    std::vector<TestJob> jobs;
    std::size_t all = 0;
    for (std::size_t i = 0; i < bundle.suites.size(); ++i) {
        const TestSuite& suite = bundle.suites[i];
        all += suite.cases.size();
        const auto wanted = std::ranges::count(cases, i, &CaseRef::suite);
        if (static_cast<std::size_t>(wanted) == suite.cases.size() && wanted > 0) {
            TestJob& job = jobs.emplace_back();
            job.method = suite.method;
            addCases(job, suite);
            continue;
        }
        for (const CaseRef& each : cases) {
            if (each.suite == i) {
                jobs.push_back({std::string(suite.method), each.testCase, {named(suite, each.testCase)}});
            }
        }
    }
    if (cases.size() == all && all > 0) {
        TestJob whole;
        for (const TestSuite& suite : bundle.suites) {
            addCases(whole, suite);
        }
        jobs = {std::move(whole)};
    }
    return jobs;
}

TestRun::TestRun(const QSettings& settings, QObject* parent) : QObject(parent), store(settings) {
    connect(&process, &RunProcess::progressed, this, &TestRun::showProgress);
    connect(&process, &RunProcess::ended, this, &TestRun::take);
}

fs::path TestRun::reportFile() const {
    return fs::path(QFile::encodeName(folder.filePath(QStringLiteral("report.json"))).toStdString());
}

fs::path TestRun::savedFolder() const {
    return fs::path(QFile::encodeName(folder.filePath(QStringLiteral("saved"))).toStdString());
}

fs::path TestRun::actualFile(const std::string& method, std::size_t testCase, std::size_t output) const {
    return tasks::savedCaseFolder(savedFolder(), file, method, testCase) /
           ("actual_" + std::to_string(output) + ".npy");
}

void TestRun::start(const fs::path& bundle, const fs::path& tensorData, std::vector<TestJob> jobs) {
    file = fullPath(bundle);
    data = tensorData.empty() ? fs::path() : fullPath(tensorData);
    all = std::move(jobs);
    done = 0;
    total = 0;
    for (const TestJob& job : all) {
        total += static_cast<int>(job.cases.size());
    }
    emit progressed(0, total);
    startNext();
}

QStringList TestRun::arguments(const TestJob& job) const {
    tasks::VerifySettings settings;
    settings.tolerances = tolerances;
    settings.cases.testCase = job.testCase;
    if (!data.empty()) {
        settings.model.tensorData = {data};
    }
    if (!job.method.empty()) {
        settings.cases.methods = {job.method};
    }
    settings.failures = savedFolder();
    settings.saveAll = true;
    tasks::CommandArguments given = tasks::argumentsOf(settings, &tasks::addVerifyOptions);
    given.add(tasks::argumentsOf(settings, &tasks::addSavedCases));
    given.positional = {file.string()};
    return commandArguments(
        "verify", given,
        {QStringLiteral("--in-process"),  // this process is already separate
         QStringLiteral("--format=json"), QStringLiteral("--output=%1").arg(pathText(reportFile()))});
}

void TestRun::startNext() {
    if (next == all.size()) {
        next = 0;
        emit ended(false);
        return;
    }
    const TestJob& job = all[next++];
    std::error_code none;
    fs::remove(reportFile(), none);
    for (const CaseReport& each : job.cases) {
        fs::remove_all(actualFile(each.method, each.index, 0).parent_path(), none);
    }
    process.start(RunProcess::findProgram(store), arguments(job));
}

void TestRun::cancel() {
    process.cancel();
}

void TestRun::showProgress(const RunProgress& progress) {
    if (progress.phase == QStringLiteral("verify")) {
        emit progressed(done + static_cast<int>(progress.done), total);
    }
}

FileReport TestRun::reportOf(const RunEnd& end) const {
    if (end.kind == RunEnd::Kind::Finished) {
        if (auto report = readReport(reportFile())) {
            return *std::move(report);
        }
    }
    return bundled_program::unreadable(file.string(), complaint(end));
}

void TestRun::take(const RunEnd& end) {
    if (end.kind == RunEnd::Kind::Cancelled) {
        next = 0;
        emit ended(true);
        return;
    }
    const TestJob& job = all[next - 1];
    FileReport report = reportOf(end);
    if (report.cases.empty()) {
        report.cases = job.cases;
        for (CaseReport& each : report.cases) {
            each.verdict = Verdict::Error;
            each.message = report.message;
        }
    }
    done += static_cast<int>(job.cases.size());
    emit progressed(done, total);
    emit reported(report);
    startNext();
}

}  // namespace et::studio
