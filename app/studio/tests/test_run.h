#pragma once

#include "app/studio/run_process.h"
#include "bundled_program/bundle.h"
#include "bundled_program/verify.h"
#include "visualizers/selection.h"

#include <QObject>
#include <QTemporaryDir>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace et::studio {

/// One call of `et-inspect verify`.
struct TestJob {
    std::string method;                              ///< empty: all
    std::optional<std::size_t> testCase;             ///< nothing: all of the method
    std::vector<bundled_program::CaseReport> cases;  ///< that it reports on: names and numbers
};

/// The fewest calls that run `cases` and no others.
[[nodiscard]] std::vector<TestJob> jobsFor(const bundled_program::Bundle& bundle,
                                           const std::vector<visualizers::CaseRef>& cases);

/// Runs cases of a bundled program in processes of their own, one after the other, and keeps the outputs
/// that they gave in a temporary folder.
class TestRun : public QObject {
    Q_OBJECT

  public:
    /// `settings` must outlive the object.
    explicit TestRun(const QSettings& settings, QObject* parent = nullptr);

    /// What cases are allowed to be off from now on, each as --rtol and --atol take it ("1e-3", "int8=1");
    /// none: the usual.
    void setTolerances(QStringList relative, QStringList absolute);

    /// `tensorData` may be empty. Not while it runs.
    void start(const std::filesystem::path& bundle, const std::filesystem::path& tensorData,
               std::vector<TestJob> jobs);
    void cancel();
    [[nodiscard]] bool running() const { return next > 0; }

    /// Where the output is that the case gave last; there is no such file when it gave none.
    [[nodiscard]] std::filesystem::path actualFile(const std::string& method, std::size_t testCase,
                                                   std::size_t output) const;

  signals:
    /// Cases that are done, of all.
    void progressed(int done, int total);
    /// After each job: every case of it has a verdict, an error where the process came to nothing.
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
    QStringList relativeTolerances;
    QStringList absoluteTolerances;
    std::vector<TestJob> all;
    std::size_t next = 0;  ///< behind the job that runs; 0: none
    int done = 0;          ///< cases of jobs that are over
    int total = 0;
};

}  // namespace et::studio
