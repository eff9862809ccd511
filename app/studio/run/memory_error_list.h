#pragma once

#include <QAbstractTableModel>
#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace et::studio {

/// A memory error in the JSON of `run --sanitize`.
struct MemoryErrorRow {
    QString error;
    QString method;
    std::optional<int> instruction;  ///< of the method's first chain; nothing: elsewhere
    QString op;
    QString argument;
    QString access;
    QString function;
    QString python;
    QString detail;
};
/// Nothing if memory accesses were not checked.
[[nodiscard]] std::optional<std::vector<MemoryErrorRow>> readMemoryErrors(const QByteArray& json);

/// The memory errors of a run.
class MemoryErrorList : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Error, Instruction, Operator, Argument, Access, Function, Python, Detail };
    static constexpr int columnTotal = Detail + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setErrors(std::vector<MemoryErrorRow> all);
    [[nodiscard]] const MemoryErrorRow* error(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    std::vector<MemoryErrorRow> errors;
};

}  // namespace et::studio
