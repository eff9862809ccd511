#pragma once

#include "inspector/format/table.h"
#include "inspector/numeric_gap/gap_report.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// The operators of a numeric gap in execution order. Numbers are those that `et-inspect gap` prints.
class GapModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int {
        Place,
        Operator,
        Handles,
        Inputs,
        Metric,
        Own,
        Inherited,
        Steps,
        Verdict,
        MaxAbsolute,
        Snr,
        Nodes,
        Module,
        Source
    };
    static constexpr int columnTotal = Source + 1;
    enum Role : int {
        SortRole = Qt::UserRole,  ///< double (NaN: no number) or QString
        SearchRole,               ///< QString: all that a filter looks into
        DivergesRole,             ///< bool
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null empties the model. `setNames`: of the sets of inputs, where rows are of different ones.
    void setReport(std::shared_ptr<const inspector::GapReport> shown, std::vector<std::string> setNames);
    [[nodiscard]] const inspector::GapReport* report() const { return gap.get(); }
    void setMetric(inspector::GapMetric chosen);
    /// Whether the texts are pale: the report is no longer of what is open.
    void setPale(bool stale);
    /// Whether a column has anything: some are only there when operators were replayed alone.
    [[nodiscard]] bool isFilled(Column column) const;
    /// Null for an index outside.
    [[nodiscard]] const inspector::GapReportRow* row(const QModelIndex& index) const;
    /// A cell for a report, its number as it is.
    [[nodiscard]] inspector::report::Cell cell(const QModelIndex& index) const;
    [[nodiscard]] inspector::report::Column reportColumn(Column column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] QVariant sortKey(const QModelIndex& index) const;
    [[nodiscard]] QString toolTip(const inspector::GapReportRow& row) const;

    std::shared_ptr<const inspector::GapReport> gap;
    inspector::GapMetric metric = inspector::GapMetric::Mse;
    bool pale = false;
    std::vector<std::string> sets;  ///< of inputs; empty: all rows are of one
};

/// A number as the table prints it: four digits.
[[nodiscard]] QString gapNumberText(double number);
/// What the runtime ran, as people call it ("conv2d", the backend of a call), or the nodes of the graph.
[[nodiscard]] QString operatorText(const inspector::GapOperator& row);
[[nodiscard]] QString handlesText(const inspector::GapOperator& row);

}  // namespace et::visualizers
