#pragma once

#include "inspector/format/table.h"

#include <QAbstractItemModel>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// How numbers of a column are shown; they are copied as they are.
enum class NumberStyle : std::uint8_t {
    Plain,
    Bytes,    ///< "1.5 MiB"
    Percent,  ///< of 0 to 100: "12.5 %"
    Time      ///< "0.000067", "45.827"
};

/// Rows of a report, some of them below others.
struct ReportRows {
    inspector::report::Table table;
    std::vector<NumberStyle> styles{};                  ///< by column; those that are missing are Plain
    std::vector<std::optional<std::size_t>> parents{};  ///< by row, of an earlier row; empty: all are on top
};

/// A report for a tree view. Rows are known by their position in the report.
class ReportTableModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Role : int {
        SortRole = Qt::UserRole,  ///< double or QString; invalid where a cell has no value
        RowRole,                  ///< qulonglong: position in the report
    };

    explicit ReportTableModel(QObject* parent = nullptr);

    void setRows(ReportRows shown);
    [[nodiscard]] const ReportRows& rows() const { return content; }
    [[nodiscard]] QModelIndex indexOf(std::size_t row) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] const std::vector<std::size_t>& below(const QModelIndex& parent) const;
    [[nodiscard]] const inspector::report::Cell& cell(const QModelIndex& index) const;
    [[nodiscard]] QString text(const QModelIndex& index, NumberStyle style) const;
    [[nodiscard]] QVariant sortKey(const QModelIndex& index) const;
    [[nodiscard]] NumberStyle styleOf(int column) const;

    ReportRows content;
    std::vector<std::size_t> top;                    ///< rows below no other
    std::vector<std::vector<std::size_t>> children;  ///< by row
    std::vector<int> places;                         ///< by row: among its siblings
};

}  // namespace et::visualizers
