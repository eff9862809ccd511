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

/// The operators of a numeric gap in execution order, with the numbers that `et-inspect gap` prints.
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
        SearchRole,               ///< QString: all text that the filter searches
        DivergesRole,             ///< bool
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null empties the model. `setNames`: names of the input sets, if rows belong to different ones.
    void setReport(std::shared_ptr<const inspector::GapReport> shown, std::vector<std::string> setNames);
    [[nodiscard]] const inspector::GapReport* report() const { return gap.get(); }
    void setMetric(inspector::GapMetric chosen);
    /// Paints the text pale if the report no longer matches the open files.
    void setPale(bool stale);
    /// True if a column has content: some require isolated replay of operators.
    [[nodiscard]] bool isFilled(Column column) const;
    /// Null for an invalid index.
    [[nodiscard]] const inspector::GapReportRow* row(const QModelIndex& index) const;
    /// A cell for a report, with its number unformatted.
    [[nodiscard]] inspector::format::Cell cell(const QModelIndex& index) const;
    [[nodiscard]] inspector::format::Column reportColumn(Column column) const;

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
    std::vector<std::string> sets;  ///< input set names; empty: all rows belong to one
};

/// A number with four digits, as in the table.
[[nodiscard]] QString gapNumberText(double number);
/// Display name of the executed operator ("conv2d", or the backend of a call), or the nodes of the graph. For
/// nodes of delegates that of their nodes in the graph, as in tables of events.
[[nodiscard]] QString operatorText(const inspector::GapOperator& row);
[[nodiscard]] QString handlesText(const inspector::GapOperator& row);

}  // namespace et::visualizers
