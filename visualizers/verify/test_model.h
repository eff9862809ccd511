#pragma once

#include "bundled_program/bundle.h"
#include "bundled_program/verify.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/tree_model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// State of a case or of one of its outputs.
enum class TestState : std::uint8_t { NotRun, Running, Pass, Fail, Error };
[[nodiscard]] QString stateName(TestState state);
[[nodiscard]] TestState stateOf(bundled_program::Verdict verdict);

/// An output of a case; without `output`, the case itself.
struct TestRef {
    CaseRef testCase;
    std::optional<std::size_t> output;
    bool operator==(const TestRef&) const = default;
};

/// The suites of a bundled program with their cases and, below each case, its expected outputs and results.
/// The verdict of a suite is the worst of its cases.
class TestModel : public TreeModel {
    Q_OBJECT

  public:
    enum Column : int { Name, Verdict, Mismatches, MaxAbsolute, MaxRelative, SignalToNoise, Ulp, Message };
    static constexpr int columnTotal = Message + 1;
    enum Role : int {
        StateRole = Qt::UserRole,  ///< int: a TestState
        SearchRole,  ///< QString: text that the filter searches; for a suite only its name, not the text of
                     ///< its cases
    };

    using TreeModel::TreeModel;

    /// Null empties the model. Clears all results.
    void setBundle(std::shared_ptr<const bundled_program::Bundle> opened);
    /// Sets the running cases; other cases keep their verdicts.
    void setRunning(const std::vector<CaseRef>& cases);
    /// Sets the results of the cases in the report.
    void setReport(const bundled_program::FileReport& report);
    /// Resets cases that are still running (cancelled or crashed); after a crash, `error` is set as their
    /// verdict.
    void stopRunning(const QString& error);

    [[nodiscard]] const bundled_program::Bundle* bundle() const { return tests.get(); }
    [[nodiscard]] TestState state(CaseRef testCase) const;
    /// Null if it did not run or had no outputs to compare.
    [[nodiscard]] const bundled_program::Comparison* comparison(CaseRef testCase, std::size_t output) const;
    [[nodiscard]] QString message(CaseRef testCase) const;
    /// Results of all cases with a verdict.
    [[nodiscard]] CaseReports reports() const;
    [[nodiscard]] std::vector<CaseRef> allCases() const;
    /// Cases that failed or could not run.
    [[nodiscard]] std::vector<CaseRef> failedCases() const;
    [[nodiscard]] std::size_t count(TestState wanted) const;

    [[nodiscard]] std::optional<TestRef> placeOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const TestRef& place) const;

  private:
    struct Result {
        TestState state = TestState::NotRun;
        bundled_program::CaseReport report;
    };

    [[nodiscard]] const Result& result(CaseRef testCase) const {
        return results[testCase.suite][testCase.testCase];
    }
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] std::size_t rowsBelow(TreeNode node) const override;
    [[nodiscard]] TreeNode nodeBelow(TreeNode node, std::size_t place) const override;
    [[nodiscard]] TreeNode nodeAbove(TreeNode node) const override;
    [[nodiscard]] std::size_t placeAmongSiblings(TreeNode node) const override;
    [[nodiscard]] QVariant cellData(TreeNode node, int column, int role) const override;
    [[nodiscard]] QVariant titleData(int column, int role) const override;
    [[nodiscard]] TestState stateOf(TreeNode node) const;
    [[nodiscard]] QString suiteText(std::size_t suite) const;
    [[nodiscard]] QString nameOf(TreeNode node) const;
    [[nodiscard]] QString verdictText(TreeNode node) const;
    [[nodiscard]] QString messageText(TreeNode node) const;
    [[nodiscard]] QVariant metric(TreeNode node, int column) const;
    [[nodiscard]] QVariant text(TreeNode node, int column) const;
    void touch(CaseRef testCase);

    std::shared_ptr<const bundled_program::Bundle> tests;
    std::vector<std::vector<Result>> results;  ///< by suite and case
};

}  // namespace et::visualizers
