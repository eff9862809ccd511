#pragma once

#include "app/studio/run_process.h"
#include "app/tasks/model/tolerance_options.h"
#include "bundled_program/bundle.h"
#include "bundled_program/verify.h"
#include "visualizers/selection.h"

#include <QObject>
#include <QTemporaryDir>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QSettings;

namespace et::studio {

/// One call of `et-inspect verify`.
struct TestJob {
    std::string method;                              ///< empty: all
    std::optional<std::size_t> testCase;             ///< nothing: all cases of the method
    std::vector<bundled_program::CaseReport> cases;  ///< the cases that it reports: names and numbers
};

/// Returns the smallest set of calls that run exactly `cases`.
[[nodiscard]] std::vector<TestJob> jobsFor(const bundled_program::Bundle& bundle,
                                           const std::vector<visualizers::CaseRef>& cases);

/// Runs cases of a bundled program in separate processes, one after the other, and stores their outputs in a
/// temporary folder.
class TestRun : public QObject {
    Q_OBJECT

  public:
    /// `settings` must outlive the object.
    explicit TestRun(const QSettings& settings, QObject* parent = nullptr);

    /// Sets the tolerances of the following runs.
    void setTolerances(tasks::ToleranceOptions given) { tolerances = std::move(given); }

    /// `tensorData` may be empty. Must not be called while running.
    void start(const std::filesystem::path& bundle, const std::filesystem::path& tensorData,
               std::vector<TestJob> jobs);
    void cancel();
    [[nodiscard]] bool running() const { return next > 0; }

    /// Path of the last output of a case; the file does not exist if it gave none.
    [[nodiscard]] std::filesystem::path actualFile(const std::string& method, std::size_t testCase,
                                                   std::size_t output) const;

  signals:
    /// Number of finished cases and of all cases.
    void progressed(int done, int total);
    /// Emitted after each job: each of its cases has a verdict, which is an error if the process failed.
    void reported(const et::bundled_program::FileReport& report);
    void ended(bool cancelled);

  private:
    void startNext();
    void take(const RunEnd& end);
    void showProgress(const RunProgress& progress);
    [[nodiscard]] bundled_program::FileReport reportOf(const RunEnd& end) const;
    [[nodiscard]] QStringList arguments(const TestJob& job) const;
    [[nodiscard]] std::filesystem::path reportFile() const;
    [[nodiscard]] std::filesystem::path savedFolder() const;

    const QSettings& store;
    RunProcess process;
    QTemporaryDir folder;
    std::filesystem::path file;
    std::filesystem::path data;
    tasks::ToleranceOptions tolerances;
    std::vector<TestJob> all;
    std::size_t next = 0;  ///< index after the running job; 0: none
    int done = 0;          ///< cases of finished jobs
    int total = 0;
};

}  // namespace et::studio
