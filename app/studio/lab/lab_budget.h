#pragma once

#include "app/tasks/lab/optimize_budget.h"
#include "visualizers/lab/lab_study.h"

#include <QLineEdit>
#include <QWidget>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace et::studio {

/// Limits of a search for programs: "Error ≤ [1 %]  Size ≤ [ ]  Time ≤ [ ]". An empty field is no limit.
class LabBudget : public QWidget {
    Q_OBJECT

  public:
    explicit LabBudget(QWidget* parent);

    /// The first limit, which directs the search; kind None without limits. Errors: InvalidArgument (a field
    /// cannot be parsed).
    [[nodiscard]] core::Result<tasks::OptimizeBudget> leading() const;
    /// The best candidate within all limits: the smallest with a limit of the error, otherwise the most
    /// accurate one. Nothing: none is within them.
    [[nodiscard]] std::optional<std::size_t> best(
        const std::vector<visualizers::LabCandidate>& candidates) const;

    [[nodiscard]] QStringList texts() const;
    void setTexts(const QStringList& texts);

  private:
    [[nodiscard]] core::Result<std::vector<tasks::OptimizeBudget>> limits() const;

    std::array<QLineEdit*, 3> fields{};
};

}  // namespace et::studio
